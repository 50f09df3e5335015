import { type contract, Refusal } from '@pillar/contract'
import { oneLine, plainText } from '@pillar/domain/text/plain-text'
import { counted } from '@pillar/domain/text/sentence'
import { webAddress } from '@pillar/domain/text/web-address'
import { type RecruiterDraft, recruiterProblem } from '@pillar/domain/trial/recruiter'
import { noteChange } from '../../api/audit.ts'
import { type HandlersOf, staffTx } from '../../api/context.ts'
import { refuseStale } from '../../api/version.ts'
import {
  findRecruiter,
  insertRecruiter,
  listRecruiters,
  lockRecruiter,
  type RecruiterText,
  type RecruiterUses,
  recruiterUses,
  updateRecruiter,
} from './recruiter-admin.queries.ts'

export const recruiterProviderHandlers: HandlersOf<typeof contract.recruiterProvider> = {
  async search({ name, recruiter_provider, ...input }, context) {
    const ask = { ...input, search_term: input.search_term || name }
    const { rows, ...page } = await listRecruiters(staffTx(context), recruiter_provider ?? null, ask)
    return { data: rows, ...page }
  },

  info: ({ recruiter_provider_id }, context) => findRecruiter(staffTx(context), recruiter_provider_id),

  async create(draft, context) {
    return { id: await insertRecruiter(staffTx(context), checked(draft)) }
  },

  async edit({ recruiter_provider_id, version, ...draft }, context) {
    const tx = staffTx(context)
    const found = await lockRecruiter(tx, recruiter_provider_id)
    refuseStale(found, version)
    const text = checked(draft)
    if (text.recruiter_or_provider !== found.recruiter_or_provider) {
      const problem = typeProblem(found, await recruiterUses(tx, found.id))
      if (problem !== '') throw new Refusal('conflict', problem)
    }
    const before = await findRecruiter(tx, recruiter_provider_id)
    const saved = await updateRecruiter(tx, found.id, text, context.services.now())
    noteChange(context, recruiter_provider_id, before, await findRecruiter(tx, recruiter_provider_id))
    return { id: recruiter_provider_id, version: saved }
  },
}

/** Why the type of a recruiter or provider cannot be changed; empty if it can. */
function typeProblem(found: { name: string; recruiter_or_provider: string }, { logins, trials }: RecruiterUses) {
  const type = found.recruiter_or_provider
  const stays = `so it stays a ${type}.`
  if (trials > 0)
    return `${counted(trials, 'clinical trial uses', 'clinical trials use')} ${found.name} as its ${type}, ${stays}`
  if (logins > 0) return `${counted(logins, 'login sees', 'logins see')} the referrals of ${found.name}, ${stays}`
  return ''
}

/** @throws Refusal invalid with one sentence that names what is missing */
function checked(given: Omit<RecruiterDraft, 'recruiter_or_provider'> & Partial<RecruiterDraft>): RecruiterText {
  const draft = {
    name: oneLine(given.name),
    description: plainText(given.description).trim(),
    recruiter_or_provider: given.recruiter_or_provider ?? null,
    logo_url: given.logo_url.trim(),
    phone: oneLine(given.phone),
    email: given.email.trim(),
    website: given.website.trim(),
    privacy_policy_url: given.privacy_policy_url.trim(),
  }
  const problem = recruiterProblem(draft)
  const { recruiter_or_provider } = draft
  const address = (text: string) => webAddress(text) ?? ''
  if (problem !== '' || !recruiter_or_provider) throw new Refusal('invalid', problem)
  return {
    ...draft,
    recruiter_or_provider,
    logo_url: address(draft.logo_url),
    website: address(draft.website),
    privacy_policy_url: address(draft.privacy_policy_url),
  }
}
