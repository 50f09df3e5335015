import { useMediaQuery } from '@mantine/hooks'

/** Whether the screen is below 768 px, where two panes become one after the other. */
export function useSmall(): boolean {
  return useMediaQuery('(max-width: 47.9375em)', undefined, { getInitialValueInEffect: false }) ?? false
}
