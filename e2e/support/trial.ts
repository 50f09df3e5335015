import { makeMessagingWorld, makePatients, type PatientColumns } from '../../apps/server/test/messaging.ts'
import { asOwner } from '../../apps/server/test/people.ts'
import { trialTokenFor } from '../../apps/server/test/trial.ts'
import { behindServer } from './behind.ts'

interface TrialOptions extends PatientColumns {
  trial?: string
  dataDir?: string
  /** Texts of the consent form; the others have defaults. */
  form?: Partial<
    Record<'form_title' | 'intro' | 'purpose_heading' | 'purpose' | 'criteria_heading' | 'criteria', string>
  >
}

const FORM = {
  form_title: 'A study about hearts',
  intro: 'Your pharmacy has been asked to invite people to a study.\n\nTaking part is your choice.',
  purpose_heading: 'Why this study',
  purpose: 'To find out whether a low dose is enough.\nIt takes one visit.',
  criteria_heading: 'Who can take part',
  criteria: '- Adults aged 70 or older\n-on low-dose medication for 60 days',
}

/** A patient of a separate pharmacy, invited to a separate running trial on the server under test. @returns path of the page, and names */
export async function invitedPatient(options: TrialOptions = {}) {
  const { trial = `Heart ${Date.now()}`, form, dataDir, ...columns } = options
  return behindServer(async (server) => {
    const world = await makeMessagingWorld(server)
    const { id, name } = world.locations[0]!
    await asOwner(
      server,
      `update location set street_address = '48 Harbour Street', town = 'Wollongong', region = 'NSW', postcode = '2500',
       phone_number = '(02) 5550 4471' where id = $1`,
      [id],
    )
    const [made] = await asOwner<{ id: number }>(
      server,
      `with partner as (
         insert into recruiter_provider (uuid, name, description, recruiter_or_provider, logo_url, phone, email, website, privacy_policy_url)
         select gen_random_uuid(), 'Meridian ' || $1, 'Adults', kind, 'https://meridian.example/logo.svg', '02 5550 0190',
           'hello@meridian.example', 'https://meridian.example/', 'https://meridian.example/privacy'
         from unnest(array['recruiter', 'provider']) kind returning id, recruiter_or_provider as kind)
       insert into trial (uuid, name, eligibility_criteria, recruiter_id, provider_id, refer_rebate_cents, enroll_rebate_cents,
         sr_refer_rebate_cents, sr_enroll_rebate_cents, rebate_type, active)
       select gen_random_uuid(), $1, 'Adults', r.id, p.id, 0, 0, 0, 0, 'refer', true
       from partner r, partner p where r.kind = 'recruiter' and p.kind = 'provider' returning id`,
      [trial],
    )
    const trialId = made!.id
    await asOwner(
      server,
      `insert into trial_ethics_approval (uuid, trial_id, number, approving_body, approved_on, filename, bytes, document)
       values (gen_random_uuid(), $1, 'H-1', 'Board', '2026-01-01', 'approval.pdf', 1, '\\x00')`,
      [trialId],
    )
    const text = { ...FORM, ...form }
    await asOwner(
      server,
      `insert into trial_consent_form (trial_id, version, form_title, intro, purpose_heading, purpose, criteria_heading, criteria)
       values ($1, 1, $2, $3, $4, $5, $6, $7)`,
      [trialId, text.form_title, text.intro, text.purpose_heading, text.purpose, text.criteria_heading, text.criteria],
    )
    const [patient] = await makePatients(server, id, 1, () => ({ first_name: 'Margaret', ...columns }))
    const token = await trialTokenFor(server, world, trialId, patient!)
    return { path: `/clinicaltrial/${token}`, token, trial, pharmacy: name, recruiter: `Meridian ${trial}` }
  }, dataDir)
}
