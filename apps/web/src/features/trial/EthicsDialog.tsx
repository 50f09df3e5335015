import { contract } from '@pillar/contract'
import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { ethicsProblems, isPdf, MOST_DOCUMENT_BYTES } from '@pillar/domain/trial/ethics'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { DayField, FileField, TextField } from '../../kit/form/fields.tsx'
import { useCountry } from '../../session/session.ts'
import { base64Of } from '../../shared/post.ts'
import { todayText } from './trial-values.ts'

interface Attached {
  file: File
  bytes: number
  pdf: boolean
  /** Empty for a file that will be refused anyway. */
  base64: string
}

const NOTHING = {
  ...{ number: '', approving_body: '', approved_on: '', expires_on: '' },
  document: null as Attached | null,
}
const WORDS = {
  title: 'Record ethics approval',
  button: 'Record',
  busy: 'Recording...',
  done: 'Ethics approval recorded',
  what: 'this ethics approval',
}

/** An ethics committee's approval, with its document. A newer approval replaces the last one, which is kept. */
export function EthicsDialog({
  trial,
  onClose,
}: {
  trial: Pick<ClinicalTrial, 'trial_id' | 'name'>
  onClose: () => void
}) {
  const country = useCountry()
  return (
    <FormDialog
      words={WORDS}
      call={contract.trialEthics.record}
      ask={`It counts for ${trial.name} from now on. Earlier approvals are kept.`}
      initial={NOTHING}
      input={({ document, approved_on, expires_on, ...text }) => ({
        ...text,
        trial_id: trial.trial_id,
        approved_on: approved_on || null,
        expires_on: expires_on || null,
        filename: document?.file.name ?? '',
        document: document?.base64 || null,
      })}
      check={(values) => ethicsProblems(values, todayText(country))}
      onClose={onClose}
    >
      {(f, { document }) => {
        const { onChange, ...bound } = f('document', 'Document')
        return (
          <>
            <TextField {...f('number', 'Approval number')} maxLength={100} required data-autofocus />
            <TextField {...f('approving_body', 'Approving body')} required />
            <DayField {...f('approved_on', 'Date of approval')} />
            <DayField {...f('expires_on', 'Expires on')} description="Leave blank if it does not expire." />
            <FileField
              {...bound}
              accept="application/pdf"
              description="A PDF of at most 5 MB. Only support can download it."
              value={document?.file}
              onChange={async (file: File | null) => onChange(file && (await attached(file)))}
            />
          </>
        )
      }}
    </FormDialog>
  )
}

async function attached(file: File): Promise<Attached> {
  const small = file.size <= MOST_DOCUMENT_BYTES
  const read = new Uint8Array(await (small ? file : file.slice(0, 5)).arrayBuffer())
  const pdf = isPdf(read)
  return { file, bytes: file.size, pdf, base64: small && pdf ? base64Of(read) : '' }
}
