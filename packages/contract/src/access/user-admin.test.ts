import { expect, it } from 'vitest'
import { type Call, contract } from '../index.ts'

const { clinicalTrial, company, recruiterProvider, signupAdmin, user, userLink } = contract

it('lists of users and trials are read again after any call that changes their content', () => {
  const { create, edit, remove, restore } = company
  const { link, unlink, linkMany, sync } = userLink
  const ofUsers: Call[] = [create, edit, remove, restore, signupAdmin.approve, link, unlink, linkMany, sync]
  const refreshes = (write: Call, list: Call) => [write.path, write.refreshes?.().includes(list)]
  for (const write of [...ofUsers, recruiterProvider.edit])
    expect(refreshes(write, user.search)).toEqual([write.path, true])
  expect(refreshes(recruiterProvider.edit, clinicalTrial.search)).toEqual([recruiterProvider.edit.path, true])
})
