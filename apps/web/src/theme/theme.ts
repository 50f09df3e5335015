import type { CSSVariablesResolver, MantineColorsTuple, MantineThemeOverride } from '@mantine/core'
import { workingButton } from './working-button.ts'

/** The petrol ramp of tokens.css; Mantine needs ten steps, 50 to 900. */
const petrol: MantineColorsTuple = [
  '#f0f8fa',
  '#e2f2f7',
  '#c2e7f2',
  '#93d9ed',
  '#5db9d3',
  '#2e97b1',
  '#07758c',
  '#01596c',
  '#02404e',
  '#002b35',
]
const brick: MantineColorsTuple = [
  '#fff3f1',
  '#fee7e4',
  '#ffd0ca',
  '#ffb7ae',
  '#fb8276',
  '#db524b',
  '#b82f2b',
  '#901e1c',
  '#6c1413',
  '#480c0a',
]

/** Mantine with Pillar's measures. Components are named by string on purpose: importing them here would put all of them into the first download. */
export const theme: MantineThemeOverride = {
  colors: { petrol, brick },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: false,
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: '0.375rem',
  fontSizes: { xs: '0.78125rem', sm: '0.84375rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1rem', sm: '1.25rem', md: '1.25rem', lg: '1.5rem', xl: '1.75rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  headings: { fontWeight: '650' },
  components: {
    Button: { defaultProps: { variant: 'default', size: 'sm', renderRoot: workingButton } },
    ActionIcon: { defaultProps: { variant: 'subtle', size: 32, renderRoot: workingButton } },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'description', 'error', 'input'] } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    PasswordInput: {
      defaultProps: { visibilityToggleFocusable: true, visibilityToggleButtonProps: { 'aria-label': 'Show password' } },
    },
    NumberInput: { defaultProps: { hideControls: true } },
    Modal: {
      defaultProps: {
        radius: 10,
        centered: true,
        closeButtonProps: { 'aria-label': 'Close' },
        overlayProps: { color: 'transparent', backgroundOpacity: 1 },
        transitionProps: { duration: 180, timingFunction: 'cubic-bezier(.2,0,0,1)' },
      },
    },
    Drawer: {
      defaultProps: {
        position: 'right',
        closeButtonProps: { 'aria-label': 'Close' },
        transitionProps: { duration: 180, timingFunction: 'cubic-bezier(.2,0,0,1)' },
      },
    },
    // Its focus placeholder is a child a menu must not have; without it the first item gets the focus.
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        shadow: 'md',
        transitionProps: { duration: 120 },
        position: 'bottom-start',
      },
    },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 120 }, position: 'bottom-start' } },
    Tooltip: {
      defaultProps: {
        openDelay: 300,
        transitionProps: { duration: 120 },
        events: { hover: true, focus: true, touch: true },
      },
    },
  },
}

/** Mantine's own variables mapped to the roles of tokens.css, which change with the theme automatically. */
const pointed: Record<`--${string}`, string> = {
  '--mantine-color-white': 'var(--on-accent)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-body': 'var(--sheet)',
  '--mantine-color-dimmed': 'var(--text-2)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-default': 'var(--raised)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-disabled': 'var(--canvas)',
  '--mantine-color-disabled-color': 'var(--text-3)',
  '--mantine-color-disabled-border': 'var(--line-strong)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
  '--mantine-primary-color-light': 'var(--selected)',
  '--mantine-primary-color-light-hover': 'var(--hover)',
  '--mantine-primary-color-light-color': 'var(--accent-text)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
  '--mantine-shadow-md': 'var(--shadow-1)',
  '--mantine-shadow-xl': 'var(--shadow-2)',
  ...roles('petrol', 'accent', 'on-accent', 'selected', 'accent-text'),
  ...roles('brick', 'bad-fill', 'on-bad', 'bad-soft', 'bad'),
}

/** Set for each scheme rather than in general, because Mantine sets its own per scheme, and those would win. */
export const variables: CSSVariablesResolver = () => ({ variables: {}, light: pointed, dark: pointed })

function roles(name: string, fill: string, on: string, soft: string, text: string): Record<`--${string}`, string> {
  return {
    [`--mantine-color-${name}-filled`]: `var(--${fill})`,
    [`--mantine-color-${name}-filled-hover`]: `color-mix(in srgb, var(--${fill}) 88%, var(--text))`,
    [`--mantine-color-${name}-light`]: `var(--${soft})`,
    [`--mantine-color-${name}-light-hover`]: `var(--${soft})`,
    [`--mantine-color-${name}-light-color`]: `var(--${text})`,
    [`--mantine-color-${name}-outline`]: `var(--${text})`,
    [`--mantine-color-${name}-contrast`]: `var(--${on})`,
    [`--mantine-color-${name}-text`]: `var(--${text})`,
  }
}
