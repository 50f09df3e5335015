import { type EditorState, type Extension, Prec, StateEffect, StateField } from '@codemirror/state'
import { EditorView, keymap, showTooltip, type Tooltip, tooltips } from '@codemirror/view'
import { MERGE_FIELDS, type MergeField } from '@pillar/domain/message/merge-field'
import { fieldLabel, fieldsMatching, queryAt } from './message-chips.ts'

interface Menu {
  from: number
  found: readonly MergeField[]
  at: number
}

/** Marks that the editor has taken over where somebody was typing. */
export const CONTINUED = 'input.continued'

const move = StateEffect.define<number>()
const shut = StateEffect.define<null>()
let count = 0

/**
 * The list of fields that opens at a typed brace: arrows choose, Enter or Tab accepts, Escape closes it. It is placed in `frame`, the dialog
 * around the editor, because the editor itself scrolls and would cut it off.
 */
export function fieldMenu(offered: readonly MergeField[], frame: HTMLElement): Extension {
  count += 1
  const id = `field-menu-${count}`
  const optionId = (at: number) => `${id}-${at}`
  const read = (state: EditorState): Menu | null => {
    const { main } = state.selection
    const query = main.empty ? queryAt(state.doc.toString(), main.head) : null
    if (!query) return null
    const found = fieldsMatching(offered, query.typed)
    return found.length === 0 ? null : { from: query.from, found, at: 0 }
  }
  const menu = StateField.define<Menu | null>({
    create: () => null,
    update(open, change) {
      if (change.effects.some((effect) => effect.is(shut))) return null
      const step = change.effects.find((effect) => effect.is(move))
      if (open && step) return { ...open, at: (open.at + step.value + open.found.length) % open.found.length }
      if (change.docChanged || change.isUserEvent(CONTINUED))
        return change.isUserEvent('input') || open ? read(change.state) : null
      return open && change.selection ? read(change.state) : open
    },
    provide: (field) => [
      showTooltip.from(field, (open): Tooltip | null =>
        open ? { pos: open.from, above: false, create: (view) => listbox(view, open) } : null,
      ),
      EditorView.contentAttributes.from(
        field,
        (open): Record<string, string> =>
          open
            ? {
                'aria-autocomplete': 'list',
                'aria-controls': id,
                'aria-activedescendant': optionId(open.at),
                // Escape closes the list first, not the dialog around it.
                'data-mantine-stop-propagation': 'true',
              }
            : {},
      ),
    ],
  })
  const take = (view: EditorView, open: Menu, at: number): boolean => {
    const field = open.found[at]
    if (!field) return false
    const insert = MERGE_FIELDS[field]
    view.dispatch({
      changes: { from: open.from, to: view.state.selection.main.head, insert },
      selection: { anchor: open.from + insert.length },
      effects: shut.of(null),
      userEvent: 'input.complete',
    })
    return true
  }
  const listbox = (view: EditorView, open: Menu) => {
    const dom = document.createElement('ul')
    dom.id = id
    dom.className = 'cm-field-menu'
    dom.setAttribute('role', 'listbox')
    dom.setAttribute('aria-label', 'Merge fields')
    for (const [at, field] of open.found.entries()) {
      const option = document.createElement('li')
      option.id = optionId(at)
      option.setAttribute('role', 'option')
      option.setAttribute('aria-selected', String(at === open.at))
      option.textContent = fieldLabel(field)
      // The editor keeps the focus.
      option.addEventListener('mousedown', (event) => {
        event.preventDefault()
        take(view, open, at)
      })
      dom.append(option)
    }
    return { dom, offset: { x: 0, y: 4 } }
  }
  const when = (act: (view: EditorView, open: Menu) => boolean) => (view: EditorView) => {
    const open = view.state.field(menu)
    return open ? act(view, open) : false
  }
  const go = (effect: StateEffect<unknown>) =>
    when((view) => {
      view.dispatch({ effects: effect })
      return true
    })
  return [
    menu,
    tooltips({ position: 'fixed', parent: frame, tooltipSpace: () => frame.getBoundingClientRect() }),
    EditorView.domEventHandlers({
      blur: (_event, view) => {
        if (view.state.field(menu)) view.dispatch({ effects: shut.of(null) })
      },
    }),
    Prec.highest(
      keymap.of([
        { key: 'ArrowDown', run: go(move.of(1)) },
        { key: 'ArrowUp', run: go(move.of(-1)) },
        { key: 'Enter', run: when((view, open) => take(view, open, open.at)) },
        { key: 'Tab', run: when((view, open) => take(view, open, open.at)) },
        { key: 'Escape', run: go(shut.of(null)) },
      ]),
    ),
  ]
}
