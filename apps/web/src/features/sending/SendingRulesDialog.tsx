import { sending } from '@pillar/contract/message/sending'
import type { ReplyOf } from '@pillar/contract/wire/call'
import { day as dayOf } from '@pillar/domain/time/day'
import { formatDate } from '@pillar/domain/time/locale'
import { send, useRead } from '../../api/client.ts'
import type { DialogProps } from '../../frame/dialog-address.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { ReadDialog } from '../../kit/dialog/ReadDialog.tsx'
import { useCountry } from '../../session/session.ts'
import { SendingRulesFields } from './SendingRulesFields.tsx'
import {
  changesText,
  gatewayText,
  nothingChanged,
  problemsOf,
  queuedWords,
  rulesOf,
  valuesOf,
} from './sending-rules.ts'

const TITLE = 'Sending rules'
const WORDS = {
  title: TITLE,
  button: 'Save…',
  busy: 'Saving...',
  done: 'Sending rules saved',
  what: 'the sending rules',
}

/** How often one person may be messaged, at what hours, and who is held out for comparison. */
export function SendingRulesDialog({ close }: Pick<DialogProps, 'close'>) {
  const rules = useRead(sending.rules, {})
  return (
    <ReadDialog title={TITLE} read={rules} what="the sending rules" onClose={close}>
      {(data) => <RulesForm rules={data} onClose={close} />}
    </ReadDialog>
  )
}

interface RulesFormProps {
  rules: ReplyOf<typeof sending.rules>
  onClose: () => void
}

function RulesForm({ rules, onClose }: RulesFormProps) {
  const country = useCountry()
  return (
    <FormDialog
      size="M"
      words={{ ...WORDS, blocked: (values) => nothingChanged(rules, values) }}
      call={sending.saveRules}
      ask={(input) => ({
        title: 'Save the sending rules?',
        consequence: <Changes texts={changesText(rules, input)} queued={queuedWords(rules, input)} />,
        button: 'Save rules',
      })}
      initial={valuesOf(rules)}
      input={rulesOf}
      check={problemsOf}
      latest={async () => valuesOf(await send(sending.rules, {}))}
      onClose={() => onClose()}
    >
      {(f, values) => (
        <>
          <p className="muted">{gatewayText(country, rules)}</p>
          <SendingRulesFields
            f={f}
            values={values}
            holidaysTo={rules.holidays_to && formatDate(country, dayOf(rules.holidays_to))}
            approvalStays={rules.approval ? 'Only support can switch this off.' : ''}
          />
        </>
      )}
    </FormDialog>
  )
}

/** What saving changes, for the question before it. */
function Changes({ texts, queued }: { texts: readonly string[]; queued: string }) {
  return (
    <>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {queued ? <p className="muted">{queued}</p> : null}
    </>
  )
}
