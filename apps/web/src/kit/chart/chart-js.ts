import { ArcElement, Chart, DoughnutController } from 'chart.js'

// Only what our pictures draw; each further kind is registered here, so that the rest of the library is left out.
Chart.register(DoughnutController, ArcElement)

export { Chart }
