// Runs before the first paint so that a dark page never flashes white. It is its own file because the content security policy allows no inline
// script. The number in its name changes with its text, since assets are cached for a year.
;(() => {
  let kept = null
  try {
    kept = localStorage.getItem('pillar_theme')
  } catch {
    // Storage may be blocked; the system's choice is used.
  }
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
