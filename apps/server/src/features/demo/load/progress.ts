/** A progress line on the terminal; a line per tenth if the output is a file. */
export function progressBar(total: number): { add: (amount: number) => void; done: () => void } {
  const live = process.stdout.isTTY
  let at = 0
  let shown = -1
  const draw = () => {
    const tenths = Math.floor((at / total) * 10)
    const percent = Math.floor((at / total) * 100)
    if (live) process.stdout.write(`\r  [${'#'.repeat(Math.floor(percent / 2.5)).padEnd(40, '.')}] ${percent}%`)
    else if (tenths > shown) process.stdout.write(`  ${percent}%\n`)
    shown = tenths
  }
  draw()
  return {
    add(amount) {
      at = Math.min(total, at + amount)
      draw()
    },
    done() {
      if (live) process.stdout.write('\n')
    },
  }
}
