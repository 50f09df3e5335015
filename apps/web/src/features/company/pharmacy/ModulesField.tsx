import { Checkbox, Input, TextInput } from '@mantine/core'
import type { Module } from '@pillar/contract/company/module-admin'
import type { ReactNode } from 'react'
import { choiceWords, NOTHING, useFieldWords } from '../../../kit/dialog/field-words.ts'
import styles from './ModulesField.module.css'
import type { ModuleChoice } from './pharmacy-values.ts'

interface ModulesFieldProps {
  name: string
  label: string
  value?: readonly ModuleChoice[]
  onChange?: (value: ModuleChoice[]) => void
  error?: ReactNode
  modules: readonly Module[]
  /** Why they could not be read, with a way to try again. */
  failed?: ReactNode
}

/** A pharmacy's modules, each with the number by which it knows the pharmacy, if it has one. */
export function ModulesField(props: ModulesFieldProps) {
  const { name, label, value = [], onChange = () => {}, error, modules, failed } = props
  useFieldWords<readonly ModuleChoice[]>(name, (chosen) => modulesWords(chosen, modules))
  const said = error ?? failed
  const without = (uuid: string) => value.filter(({ module_id }) => module_id !== uuid)
  return (
    <fieldset className={styles.modules} aria-label={label} data-field={name}>
      <Input.Label labelElement="div">{label}</Input.Label>
      <Input.Description>
        Missing and failed uploads are listed under Faulty ETL uploads only for pharmacies with Upload.
      </Input.Description>
      {said ? <Input.Error>{said}</Input.Error> : null}
      {modules.map(({ uuid, display_name, needs_external_id }) => {
        const on = value.find(({ module_id }) => module_id === uuid)
        return (
          <div key={uuid} className={styles.module}>
            <Checkbox
              label={display_name}
              checked={on !== undefined}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...value, { module_id: uuid, external_id: null }] : without(uuid))
              }
            />
            {on && needs_external_id ? (
              <TextInput
                size="xs"
                label={`External ID for ${display_name}`}
                autoComplete="off"
                maxLength={100}
                error={Boolean(error) && !on.external_id?.trim()}
                value={on.external_id ?? ''}
                onChange={({ currentTarget: { value: external_id } }) =>
                  onChange(value.map((one) => (one.module_id === uuid ? { module_id: uuid, external_id } : one)))
                }
              />
            ) : null}
          </div>
        )
      })}
    </fieldset>
  )
}

/** Modules in words, with the external id of those that have one. */
function modulesWords(chosen: readonly ModuleChoice[], modules: readonly Module[]): string {
  const options = modules.map(({ uuid, display_name }) => ({ value: uuid, label: display_name }))
  const words = chosen.map(({ module_id, external_id }) =>
    [choiceWords(module_id, options, {}), external_id ? `(${external_id})` : ''].join(' ').trim(),
  )
  return words.length === 0 ? NOTHING : words.sort((a, b) => a.localeCompare(b)).join(', ')
}
