const LEFT = 226
const RIGHT = 494
const CENTRE = (LEFT + RIGHT) / 2
const RADIUS = (RIGHT - LEFT) / 2
const LINES = 27
const STEPS = [742, 748, 755, 763, 772]

/** The positions of the lines on a round column seen from the front: equal angles, so they crowd towards the edges. */
const lines = Array.from({ length: LINES }, (_, index) => -Math.cos((index / (LINES - 1)) * Math.PI) * RADIUS)

/** The mark drawn large: a capsule with its lower half fluted, on a plinth. Decoration only. */
export function PillarDrawing() {
  return (
    <aside aria-hidden="true">
      <svg
        aria-hidden="true"
        viewBox="0 0 720 900"
        preserveAspectRatio="xMidYMid meet"
        fill="none"
        stroke="var(--art)"
        strokeWidth="1.15"
      >
        {lines.map((offset) => {
          const x = (CENTRE + offset).toFixed(2)
          const width = Math.abs(offset).toFixed(2)
          return (
            <path
              key={offset}
              d={`M${x} 402V238A${width} ${RADIUS} 0 0 ${offset < 0 ? 1 : 0} ${CENTRE} 104M${x} 420V724`}
            />
          )
        })}
        {STEPS.map((y) => (
          <path key={y} d={`M186 ${y}H534`} />
        ))}
      </svg>
    </aside>
  )
}
