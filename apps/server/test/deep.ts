/** Whether the large counts run: npm run test:deep, or DEEP=1 before one test file. */
export const DEEP = process.env.DEEP === '1'
