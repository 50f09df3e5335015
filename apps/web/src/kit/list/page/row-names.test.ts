import { expect, test } from 'vitest'
import { rowNames } from './row-names.ts'

const letter = (id: string, subject: string, to: string) => ({ id, subject, to })
const columns = [
  { label: 'Subject', cell: ({ subject }: { subject: string }) => subject },
  { label: 'Tries', cell: () => 3 },
  { label: 'To', cell: ({ to }: { to: string }) => to },
]
const namesOf = (...rows: ReturnType<typeof letter>[]) => {
  const nameOf = rowNames(rows, columns, ({ id }) => id)
  return rows.map(nameOf)
}

test('a row has the name of its first cell', () => {
  expect(
    namesOf(letter('1', 'Your login', 'ada@mail.example'), letter('2', 'Monthly report', 'ada@mail.example')),
  ).toEqual(['Your login', 'Monthly report'])
})

test('rows with the same name are told apart by the words of their next cells', () => {
  expect(namesOf(letter('1', 'Your login', 'ada@mail.example'), letter('2', 'Your login', 'ben@mail.example'))).toEqual(
    ['Your login, ada@mail.example', 'Your login, ben@mail.example'],
  )
})

test('a row without words has its id as its name', () => {
  expect(namesOf(letter('1', '', ''))).toEqual(['1'])
})
