import type { TrialForm as Trial } from '../patient-calls.ts'

/** The recruiter's picture, or else its name, linked to its website. */
export function RecruiterLogo({ form }: { form: Trial }) {
  return (
    <a className="recruiter" href={form.recruiter_website} target="_blank" rel="noreferrer">
      {form.recruiter_logo ? <img src={form.recruiter_logo} alt={form.recruiter} /> : form.recruiter}
    </a>
  )
}
