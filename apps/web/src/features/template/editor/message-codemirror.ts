import { history, historyKeymap, standardKeymap } from '@codemirror/commands'
import { Compartment, EditorState, type Extension, type Range, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, keymap, WidgetType } from '@codemirror/view'
import type { MergeField } from '@pillar/domain/message/merge-field'
import { OPT_OUT_TEXT } from '@pillar/domain/message/sms-text'
import { chipRanges, insertionOf, pastedText } from './message-chips.ts'
import { CONTINUED, fieldMenu } from './message-field-menu.ts'
import { messageTheme } from './message-theme.ts'

/** The editor's separate download: everything of CodeMirror is imported from here, and only when an editor is shown. */
export interface MessageViewOptions {
  parent: HTMLElement
  text: string
  fields: readonly MergeField[]
  onChange: (text: string) => void
  /** A single line, for a subject: Enter does nothing and pasted line ends become spaces. */
  singleLine: boolean
}

export interface MessageView {
  setText: (text: string) => void
  setAttributes: (attributes: Record<string, string>) => void
  setOptOut: (shown: boolean) => void
  /** Replaces the selection with a field and puts the cursor behind it. */
  insertField: (field: MergeField) => void
  /** With a cursor, goes on there as if the text before it had just been typed. */
  focus: (cursor?: number) => void
  destroy: () => void
}

class Chip extends WidgetType {
  readonly label: string
  constructor(label: string) {
    super()
    this.label = label
  }
  override eq(other: Chip): boolean {
    return other.label === this.label
  }
  override toDOM(): HTMLElement {
    const chip = document.createElement('span')
    chip.className = 'cm-chip'
    const said = document.createElement('span')
    said.className = 'sr'
    said.textContent = 'field '
    chip.append(said, this.label)
    return chip
  }
}

class OptOut extends WidgetType {
  override eq(): boolean {
    return true
  }
  override toDOM(): HTMLElement {
    const line = document.createElement('div')
    line.className = 'cm-opt-out'
    line.textContent = OPT_OUT_TEXT
    return line
  }
}

const wrong = Decoration.mark({ class: 'cm-no-field', attributes: { title: 'This is no field' } })

function chipsOf(state: EditorState): DecorationSet {
  const marks: Range<Decoration>[] = chipRanges(state.doc.toString()).map(({ from, to, label, known }) =>
    known ? Decoration.replace({ widget: new Chip(label) }).range(from, to) : wrong.range(from, to),
  )
  return Decoration.set(marks)
}

const chips = StateField.define<DecorationSet>({
  create: chipsOf,
  update: (set, change) => (change.docChanged ? chipsOf(change.state) : set),
  provide: (field) => [
    EditorView.decorations.from(field),
    EditorView.atomicRanges.of((view) => known(view.state.field(field))),
  ],
})

/** The cursor skips only valid chips, which are also deleted as one; unknown fields stay editable, so that they can be fixed. */
function known(set: DecorationSet): DecorationSet {
  return set.update({ filter: (_from, _to, mark) => mark.spec.widget !== undefined })
}

const optOut = EditorView.decorations.compute(['doc'], (state) =>
  Decoration.set([Decoration.widget({ widget: new OptOut(), side: 1, block: true }).range(state.doc.length)]),
)

const oneLine: Extension = EditorState.transactionFilter.of((change) => (change.newDoc.lines > 1 ? [] : change))

/** An editor for plain text in which fields appear as chips. The document is the message as stored. */
export function createMessageView(options: MessageViewOptions): MessageView {
  const { parent, text, fields, onChange, singleLine } = options
  const attributes = new Compartment()
  const ending = new Compartment()
  // Text set from outside is not an edit by the person.
  let setting = false
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        fieldMenu(fields, parent.closest<HTMLElement>('[role=dialog]') ?? document.body),
        history(),
        keymap.of([...standardKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.clipboardInputFilter.of((pasted) => {
          const clean = pastedText(pasted)
          return singleLine ? clean.replace(/\s*\n\s*/g, ' ').trim() : clean
        }),
        EditorState.lineSeparator.of('\n'),
        chips,
        singleLine ? oneLine : [],
        attributes.of([]),
        ending.of([]),
        messageTheme(singleLine),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !setting) onChange(update.state.doc.toString())
        }),
      ],
    }),
  })
  return {
    setText(next) {
      if (view.state.doc.toString() === next) return
      setting = true
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } })
      setting = false
    },
    setAttributes(given) {
      view.dispatch({ effects: attributes.reconfigure(EditorView.contentAttributes.of(given)) })
    },
    setOptOut(shown) {
      view.dispatch({ effects: ending.reconfigure(shown ? optOut : []) })
    },
    insertField(field) {
      const { from, to } = view.state.selection.main
      const line = view.state.doc.lineAt(from)
      const insert = insertionOf(
        field,
        view.state.sliceDoc(line.from, from),
        view.state.sliceDoc(to, view.state.doc.lineAt(to).to),
      )
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length },
        scrollIntoView: true,
        userEvent: 'input.complete',
      })
      view.focus()
    },
    focus(cursor) {
      view.focus()
      if (cursor === undefined) return
      view.dispatch({ selection: { anchor: Math.min(cursor, view.state.doc.length) }, userEvent: CONTINUED })
    },
    destroy: () => view.destroy(),
  }
}
