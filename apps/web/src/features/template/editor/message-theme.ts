import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** The editor in Pillar's roles; CodeMirror writes it into a style element of its own. */
export function messageTheme(singleLine: boolean): Extension {
  return EditorView.theme({
    '&': { color: 'var(--text)', backgroundColor: 'transparent', fontSize: '14px' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--font)', lineHeight: singleLine ? '20px' : '26px', overflowX: 'hidden' },
    '.cm-content': {
      padding: singleLine ? '9px 0' : '12px 0',
      minHeight: singleLine ? '20px' : '132px',
      caretColor: 'var(--text)',
    },
    '.cm-line': { padding: '0 12px' },
    '.cm-chip': {
      display: 'inline-block',
      padding: '0 6px',
      margin: '0 1px',
      borderRadius: 'var(--r1)',
      lineHeight: '20px',
      color: 'var(--info)',
      backgroundColor: 'var(--info-soft)',
      boxShadow: 'inset 0 0 0 1px color-mix(in srgb, var(--info) 18%, transparent)',
    },
    '.cm-no-field': { color: 'var(--bad)', textDecoration: 'underline wavy var(--bad-fill) 1px' },
    '.cm-opt-out': { padding: '0 12px', color: 'var(--text-3)', cursor: 'default', userSelect: 'none' },
    '.cm-tooltip': { border: '0', backgroundColor: 'transparent', zIndex: '400' },
    '.cm-field-menu': {
      listStyle: 'none',
      margin: '0',
      padding: '4px',
      minWidth: '180px',
      borderRadius: 'var(--r2)',
      backgroundColor: 'var(--raised)',
      boxShadow: '0 0 0 1px var(--line), var(--shadow-1)',
      font: '13.5px / 20px var(--font)',
      color: 'var(--text)',
    },
    '.cm-field-menu [role=option]': { padding: '6px 10px', borderRadius: 'var(--r1)', cursor: 'pointer' },
    '.cm-field-menu [aria-selected=true]': { backgroundColor: 'var(--hover)' },
    '.cm-field-menu [role=option]:hover': { backgroundColor: 'var(--hover)' },
  })
}
