import { useMediaQuery } from '@mantine/hooks'

const SMALL = '(max-width: 47.9375em)'

/** The same, checked once. */
export const isSmall = (): boolean => window.matchMedia(SMALL).matches

/** Whether the screen is below 768 px, where two panes are shown one at a time. */
export function useSmall(): boolean {
  return useMediaQuery(SMALL, undefined, { getInitialValueInEffect: false }) ?? false
}
