import { REPORT_DAY } from '@pillar/domain/report/report-mail'
import { z } from 'zod'
import { read, write } from './wire/call.ts'

const id = z.uuid()

const list = read({
  path: '/api/report-mail/list',
  needs: 'data_analytics',
  about: 'Who in the company gets the monthly report by email, what it covers, and on which business day.',
  example: {},
  input: z.object({}),
  output: z.object({
    business_day: z.number(),
    /** 0 while the company uses the default day. */
    version: z.number(),
    /** Colleagues who have access to Financials. */
    readers: z.array(
      z.object({
        id,
        name: z.string(),
        username: z.string(),
        /** They declined all reports, so nobody else can sign them up. */
        stopped: z.boolean(),
        is_me: z.boolean(),
      }),
    ),
    mails: z.array(
      z.object({
        id,
        reader_id: id,
        reader_name: z.string(),
        /** The pharmacy it covers; null for the whole company. */
        pharmacy_id: id.nullable(),
        pharmacy_name: z.string().nullable(),
        added_by: z.string().nullable(),
        /** The newest month sent, such as '2026-10'. */
        last_month: z.string().nullable(),
        is_me: z.boolean(),
      }),
    ),
    /** Whether the caller has declined all reports. */
    stopped: z.boolean(),
  }),
})

/** The monthly email with the one-page report. */
export const reportMail = {
  list,
  add: write({
    path: '/api/report-mail/add',
    needs: 'data_analytics',
    refreshes: () => [list],
    about: 'Sends somebody in the company a monthly report on the company or a pharmacy.',
    example: { reader_id: '01980000-0000-7000-8000-00000000000a', pharmacy_id: null },
    input: z.object({ reader_id: id, pharmacy_id: id.nullable() }),
    output: z.object({ id }),
  }),
  remove: write({
    path: '/api/report-mail/{id}/remove',
    needs: 'data_analytics',
    refreshes: () => [list],
    about: 'Stops sending somebody a monthly report.',
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ id }),
    output: z.object({ removed: z.literal(true) }),
  }),
  saveDay: write({
    path: '/api/report-mail/day',
    needs: 'data_analytics',
    refreshes: () => [list],
    about: 'Changes the business day of the new month on which the reports go out.',
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
    about: 'Ends all monthly reports to the caller, and nobody else can sign them up.',
    example: {},
    input: z.object({}),
    output: z.object({ stopped: z.literal(true) }),
  }),
  resume: write({
    path: '/api/report-mail/resume',
    needs: 'data_analytics',
    refreshes: () => [list],
    about: 'Lets the caller get monthly reports again.',
    example: {},
    input: z.object({}),
    output: z.object({ stopped: z.literal(false) }),
  }),
}
