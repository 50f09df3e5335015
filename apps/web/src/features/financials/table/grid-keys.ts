/** A position in a grid: row 0 is the head. */
export interface Place {
  readonly row: number
  readonly col: number
}

export interface GridSize {
  readonly rows: number
  readonly cols: number
  /** Rows that a Page key moves by. */
  readonly page: number
}

/**
 * The position a key leads to, by the grid pattern of WAI-ARIA: arrows, Page, Home and End within the row, with Ctrl to the corners. Null for a
 * key the grid does not use.
 */
export function moved(key: string, ctrl: boolean, from: Place, size: GridSize): Place | null {
  const to = target(key, ctrl, from, size)
  if (!to) return null
  return {
    row: Math.min(size.rows - 1, Math.max(0, to.row)),
    col: Math.min(size.cols - 1, Math.max(0, to.col)),
  }
}

function target(key: string, ctrl: boolean, { row, col }: Place, { rows, cols, page }: GridSize): Place | null {
  switch (key) {
    case 'ArrowDown':
      return { row: row + 1, col }
    case 'ArrowUp':
      return { row: row - 1, col }
    case 'ArrowRight':
      return { row, col: col + 1 }
    case 'ArrowLeft':
      return { row, col: col - 1 }
    case 'PageDown':
      return { row: row + page, col }
    case 'PageUp':
      return { row: row - page, col }
    case 'Home':
      return { row: ctrl ? 0 : row, col: 0 }
    case 'End':
      return { row: ctrl ? rows - 1 : row, col: cols - 1 }
    default:
      return null
  }
}
