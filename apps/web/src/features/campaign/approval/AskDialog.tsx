import { NumberInput } from '@mantine/core'
import { campaignApproval as calls } from '@pillar/contract/campaign/campaign-approval'
import { type Ceiling, costWords, proposedCeiling } from '@pillar/domain/campaign/approval'
import { LOCALES } from '@pillar/domain/time/locale'
import { Dialog } from '../../../kit/dialog/Dialog.tsx'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { Failed, Loading } from '../../../kit/display/states.tsx'
import { MoneyField } from '../../../kit/form/fields.tsx'
import { todayOf } from '../../../shared/today.ts'
import { useCohort } from '../../cohort/useCohort.ts'
import { askOf, daysOf } from '../campaign-ask.ts'
import type { ApprovalDialogProps } from './ApproveDialog.tsx'

/** Requests a second person's approval of a campaign, up to a number of people and a cost. */
export function AskDialog(props: ApprovalDialogProps) {
  const { campaign, country, onClose } = props
  const { ledger, error, retry } = useCohort(askOf(campaign, daysOf(campaign, todayOf(country))))
  if (ledger) return <AskForm {...props} now={{ people: ledger.will_receive, cents: ledger.cents }} />
  return (
    <Dialog opened size="S" title="Ask for approval" onClose={onClose}>
      {error ? (
        <Failed title="Could not count who would receive it" error={error} onRetry={retry} />
      ) : (
        <Loading rows={2} words="Counting who would receive it…" />
      )}
    </Dialog>
  )
}

function AskForm({ campaign, country, now, onClose }: ApprovalDialogProps & { now: Ceiling }) {
  const { people, cents } = proposedCeiling(now)
  return (
    <FormDialog
      words={{
        ...{ title: 'Ask for approval', button: 'Ask for approval', busy: 'Asking...' },
        ...{ done: 'Approval asked for', what: 'the request' },
      }}
      call={calls.request}
      initial={{ people: Math.max(people, 1) as number | '', dollars: (cents / 100) as number | '' }}
      input={({ people: most, dollars }) => ({
        id: campaign.campaign_id,
        max_people: Number(most),
        max_cents: Math.round(Number(dollars) * 100),
      })}
      check={({ people: most, dollars }) => [
        ...(most === '' || most < 1 ? [{ field: 'people' as const, words: 'enter the maximum number of people' }] : []),
        ...(dollars === '' ? [{ field: 'dollars' as const, words: 'enter the maximum cost' }] : []),
      ]}
      onClose={() => onClose()}
    >
      {(f) => (
        <>
          <p>
            “{campaign.name}” would now cost {costWords(now, country)}. A tenth more leaves room for patients who join
            before it is sent; beyond the limits nothing is sent.
          </p>
          <NumberInput
            {...f('people', 'Maximum number of people')}
            min={1}
            allowDecimal={false}
            thousandSeparator=","
          />
          <MoneyField {...f('dollars', 'Maximum cost')} symbol={LOCALES[country].currencySymbol} />
          <p className="muted">
            Everybody who can approve it gets an email, and you get one once it is decided. Any change to the campaign
            or its templates ends the request.
          </p>
        </>
      )}
    </FormDialog>
  )
}
