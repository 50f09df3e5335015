import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** The editor in Pillar's colour roles; CodeMirror writes it into a style element of its own. */
export function messageTheme(singleLine: boolean): Extension {
  return EditorView.theme({
    '&': { color: 'var(--text)', backgroundColor: 'transparent', fontSize: '0.875rem' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--font)', lineHeight: singleLine ? '1.25rem' : '1.625rem', overflowX: 'hidden' },
    '.cm-content': {
      padding: singleLine ? '0.5625rem 0' : '0.75rem 0',
      minHeight: singleLine ? '1.25rem' : '8.25rem',
      caretColor: 'var(--text)',
    },
    '.cm-line': { padding: '0 0.75rem' },
    '.cm-chip': {
      display: 'inline-block',
      padding: '0 0.375rem',
      margin: '0 1px',
      borderRadius: 'var(--r1)',
      lineHeight: '1.25rem',
      color: 'var(--info)',
      backgroundColor: 'var(--info-soft)',
      boxShadow: 'inset 0 0 0 1px color-mix(in srgb, var(--info) 18%, transparent)',
    },
    '.cm-no-field': { color: 'var(--bad)', textDecoration: 'underline wavy var(--bad-fill) 1px' },
    '.cm-opt-out': { padding: '0 0.75rem', color: 'var(--text-3)', cursor: 'default', userSelect: 'none' },
    '.cm-tooltip': { border: '0', backgroundColor: 'transparent', zIndex: '400' },
    '.cm-field-menu': {
      listStyle: 'none',
      margin: '0',
      padding: '0.25rem',
      minWidth: '11.25rem',
      borderRadius: 'var(--r2)',
      backgroundColor: 'var(--raised)',
      boxShadow: '0 0 0 1px var(--line), var(--shadow-1)',
      font: '0.84375rem / 1.25rem var(--font)',
      color: 'var(--text)',
      // Transparent, but drawn where the system's colours replace shadows and backgrounds.
      outline: '1px solid transparent',
    },
    '.cm-field-menu [role=option]': { padding: '0.375rem 0.625rem', borderRadius: 'var(--r1)', cursor: 'pointer' },
    // Marks the keyboard's position; the focus itself stays in the text.
    '.cm-field-menu [aria-selected=true]': {
      backgroundColor: 'var(--hover)',
      boxShadow: 'inset 0 0 0 2px var(--focus)',
      outline: '2px solid transparent',
      outlineOffset: '-2px',
    },
    '.cm-field-menu [role=option]:hover': { backgroundColor: 'var(--hover)' },
  })
}
