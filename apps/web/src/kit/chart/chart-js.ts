import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  DoughnutController,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js'

// Only what our charts draw: each further kind is registered here, which leaves the rest of the library out.
Chart.register(DoughnutController, ArcElement)
Chart.register(LineController, LineElement, PointElement, Filler)
Chart.register(BarController, BarElement)
Chart.register(CategoryScale, LinearScale, Tooltip)

export { Chart }
