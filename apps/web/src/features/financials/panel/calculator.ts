/** State of the opportunity calculator: which subcategory, and what changes. */
export type Mode = 'best' | 'worst' | 'manual'
export type Direction = '+' | '-'

export interface Adjustment {
  readonly on: boolean
  readonly direction: Direction
  /** Size without sign: points, or currency per script. Null while the field is empty. */
  readonly size: number | null
}

export interface Calculator {
  readonly mode: Mode
  /** The manually selected subcategory; best and worst use the first one listed. */
  readonly manual: string | null
  readonly adherence: Adjustment
  readonly price: Adjustment
}

const MAX_POINTS = 100
const MAX_PRICE = 10_000

export const START: Calculator = {
  mode: 'worst',
  manual: null,
  adherence: { on: false, direction: '+', size: null },
  price: { on: false, direction: '+', size: null },
}

export type Change =
  | { readonly type: 'mode'; readonly mode: Mode }
  | { readonly type: 'subcategory'; readonly subcategory: string }
  | { readonly type: 'toggle'; readonly which: 'adherence' | 'price'; readonly on: boolean }
  | { readonly type: 'direction'; readonly which: 'adherence' | 'price'; readonly direction: Direction }
  | { readonly type: 'size'; readonly which: 'adherence' | 'price'; readonly size: number | null }

/** The next state. Selecting a subcategory switches to manual; entering a value turns its toggle on. */
export function calculator(state: Calculator, change: Change): Calculator {
  switch (change.type) {
    case 'mode':
      return { ...state, mode: change.mode }
    case 'subcategory':
      return { ...state, mode: 'manual', manual: change.subcategory }
    case 'toggle':
      return { ...state, [change.which]: { ...state[change.which], on: change.on } }
    case 'direction':
      return { ...state, [change.which]: { ...state[change.which], direction: change.direction } }
    case 'size': {
      const old = state[change.which]
      return { ...state, [change.which]: { ...old, size: change.size, on: change.size !== null || old.on } }
    }
  }
}

interface Listed {
  readonly categories: readonly { readonly category: string }[]
}

/** The calculator's subcategory: the first best, the first worst, or the selected one while it still exists. */
export function subcategoryOf(
  state: Calculator,
  best: Listed | undefined,
  worst: Listed | undefined,
  all: readonly string[],
): string | null {
  if (state.mode === 'best') return best?.categories[0]?.category ?? null
  if (state.mode === 'worst') return worst?.categories[0]?.category ?? null
  return state.manual !== null && all.includes(state.manual) ? state.manual : null
}

/** The signed adjustments to send: 0 for one that is off or empty. */
export function adjustments(state: Calculator): { adherence_adjustment: number; price_per_script_adjustment: number } {
  const signed = ({ on, direction, size }: Adjustment) => {
    if (!on || size === null || size === 0) return 0
    return direction === '-' ? -size : size
  }
  return { adherence_adjustment: signed(state.adherence), price_per_script_adjustment: signed(state.price) }
}

/** The size as typed: a number without sign, optionally after a currency sign; else what is wrong with it. Empty means no number. */
export function sizeOf(typed: string, which: 'adherence' | 'price'): { size: number | null; problem: string | null } {
  const text = typed.replace(/[$£,\s]/g, '')
  if (text === '') return { size: null, problem: null }
  const most = which === 'adherence' ? MAX_POINTS : MAX_PRICE
  const size = /^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : null
  if (size !== null && size <= most) return { size, problem: null }
  const range = `from 0 to ${most.toLocaleString('en-AU')}`
  return {
    size: null,
    problem: which === 'adherence' ? `Please enter points ${range}.` : `Please enter an amount ${range}.`,
  }
}
