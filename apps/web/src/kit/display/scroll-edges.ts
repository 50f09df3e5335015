/** Content less than this far past an edge needs no hint. */
const NEAR = 2

/**
 * Marks on a box the sides with more to scroll to: `data-more` is 'left', 'right' or both, and `theme/scroll.css` fades those sides. For use as
 * the box's ref. @returns a function that stops it
 */
export function scrollEdges(box: HTMLElement | null): (() => void) | undefined {
  if (!box) return
  // A sticky name column covers the content to its left.
  let covered = false
  const mark = () => {
    const rest = box.scrollWidth - box.clientWidth - box.scrollLeft
    const left = !covered && box.scrollLeft > NEAR
    const more = [left ? 'left' : '', rest > NEAR ? 'right' : ''].filter(Boolean).join(' ')
    if (more !== (box.dataset.more ?? '')) {
      if (more) box.dataset.more = more
      else delete box.dataset.more
    }
  }
  const measure = () => {
    const name = box.querySelector('tbody th[scope="row"]')
    covered = name !== null && getComputedStyle(name).position === 'sticky'
    box.style.setProperty('--bar-right', `${box.offsetWidth - box.clientLeft * 2 - box.clientWidth}px`)
    box.style.setProperty('--bar-below', `${box.offsetHeight - box.clientTop * 2 - box.clientHeight}px`)
    mark()
  }
  const sizes = new ResizeObserver(measure)
  const follow = () => {
    sizes.disconnect()
    for (const one of [box, ...box.children]) sizes.observe(one)
  }
  const children = new MutationObserver(follow)
  children.observe(box, { childList: true })
  follow()
  box.addEventListener('scroll', mark, { passive: true })
  return () => {
    sizes.disconnect()
    children.disconnect()
    box.removeEventListener('scroll', mark)
  }
}
