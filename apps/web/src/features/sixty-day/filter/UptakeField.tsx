import { NumberInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useSettled } from '../../../kit/form/useSettled.ts'
import { isUptake } from './filter-draft.ts'

const PAUSE_MS = 400

/** The uptake in percent, taken over when typing stops or the field is left. Anything but a number from 0 to 100 changes nothing and is discarded. */
export function UptakeField({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const [typed, setTyped] = useState<number | string>(value)
  const settled = useSettled(typed, PAUSE_MS)
  const reported = useRef(value)
  // The value changed elsewhere (Back, Reset): the field follows, but ignores its own change, which may come back late.
  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setTyped(value)
  }, [value])
  const take = () => {
    const uptake = Number(typed)
    if (!isUptake(typed) || uptake === value) return
    reported.current = uptake
    onChange(uptake)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what somebody has typed is taken over, not what the address says anew.
  useEffect(() => {
    if (settled === typed) take()
  }, [settled])
  // At once, so that it does not come after the next press; a field left empty shows the value the figures use.
  const left = () => {
    if (isUptake(typed)) take()
    else setTyped(value)
  }
  return (
    <NumberInput
      label="Uptake"
      size="xs"
      w={112}
      styles={{ root: { display: 'flex', alignItems: 'center', gap: 8 } }}
      value={typed}
      onChange={setTyped}
      onBlur={left}
      min={0}
      max={100}
      clampBehavior="strict"
      decimalScale={2}
      suffix="%"
      hideControls
    />
  )
}
