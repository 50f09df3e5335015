import { REPORT_DAY } from '@pillar/domain/report/report-mail'
import { z } from 'zod'
import { read, write } from './wire/call.ts'

const id = z.uuid()

const list = read({
  path: '/api/report-mail/list',
  needs: 'data_analytics',
  about: 'Who of the company gets the monthly report by mail, of what, and on which business day.',
  example: {},
  input: z.object({}),
  output: z.object({
    business_day: z.number(),
    /** 0 while the company has the usual day. */
    version: z.number(),
    /** Colleagues who may see Financials. */
    readers: z.array(
      z.object({
        id,
        name: z.string(),
        username: z.string(),
        /** They want none: nobody else can sign them up. */
        stopped: z.boolean(),
        is_me: z.boolean(),
      }),
    ),
    mails: z.array(
      z.object({
        id,
        reader_id: id,
        reader_name: z.string(),
        /** What it is about; null for the whole company. */
        pharmacy_id: id.nullable(),
        pharmacy_name: z.string().nullable(),
        added_by: z.string().nullable(),
        /** The newest month sent, such as '2026-10'. */
        last_month: z.string().nullable(),
        is_me: z.boolean(),
      }),
    ),
    /** Whether the caller has said that they want none. */
    stopped: z.boolean(),
  }),
})

/** The monthly letter with the one-page report. */
export const reportMail = {
  list,
  add: write({
    path: '/api/report-mail/add',
    needs: 'data_analytics',
    refreshes: () => [list],
    about: 'Sends somebody of the company the report of the company or a pharmacy every month.',
    example: { reader_id: '01980000-0000-7000-8000-00000000000a', pharmacy_id: null },
    input: z.object({ reader_id: id, pharmacy_id: id.nullable() }),
    output: z.object({ id }),
  }),
  remove: write({
    path: '/api/report-mail/{id}/remove',
    needs: 'data_analytics',
    refreshes: () => [list],
    about: 'Ends a monthly report of somebody.',
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ id }),
    output: z.object({ removed: z.literal(true) }),
  }),
  saveDay: write({
    path: '/api/report-mail/day',
    needs: 'data_analytics',
    refreshes: () => [list],
    about: 'Changes on which business day of the new month the reports go out.',
    example: { business_day: 3, version: 0 },
    input: z.object({
      business_day: z.number().int().min(REPORT_DAY.least).max(REPORT_DAY.most),
      /** The version the editor loaded; a 409 when somebody else saved in the meantime. */
      version: z.number().int().nullish(),
    }),
    output: z.object({ version: z.number() }),
  }),
  stop: write({
    path: '/api/report-mail/stop',
    needs: 'data_analytics',
    refreshes: () => [list],
    about: 'The caller gets no monthly report any more, and nobody else can sign them up.',
    example: {},
    input: z.object({}),
    output: z.object({ stopped: z.literal(true) }),
  }),
  resume: write({
    path: '/api/report-mail/resume',
    needs: 'data_analytics',
    refreshes: () => [list],
    about: 'The caller may get monthly reports again.',
    example: {},
    input: z.object({}),
    output: z.object({ stopped: z.literal(false) }),
  }),
}
