import { afterAll, expect, it, vi } from 'vitest'
import { readEnv } from '../apps/server/src/env.ts'
import { checkSms } from '../apps/server/src/gateways/sms/sms.ts'
import { servingSettings } from './drill-checks.ts'

afterAll(() => {
  vi.unstubAllEnvs()
})

it('a drill with the settings of the real installation serves, and knows no gateway and no mail server', () => {
  const real = {
    ...{ SMS_GATEWAY: 'http', SMS_HTTP_URL: 'https://gateway.example/send', SMS_HTTP_SECRET: 'a-shared-secret-here' },
    ...{ SMS_HTTP_BODY: '{"to":"{to}","text":"{text}"}', SMS_SENDER: 'PHARMACY', SMTP_URL: 'smtp://mail.example' },
    ...{ PUBLIC_URL: 'https://pillar.example', HOST: '0.0.0.0', MIGRATE: 'on' },
    ...{ DATABASE_REPLICA_URL: 'postgres://real-replica', DATABASE_URL_FILE: '/run/secrets/real-database' },
  }
  for (const [name, value] of Object.entries(real)) vi.stubEnv(name, value)
  const env = readEnv(servingSettings({ DATABASE_URL: 'postgres://restored' }, 5499))
  checkSms(env)
  expect(env).toMatchObject({ SMS_GATEWAY: 'simulator', DATABASE_URL: 'postgres://restored', PORT: 5500, ROLE: 'web' })
  expect(env).toMatchObject({ HOST: '127.0.0.1', MIGRATE: 'off' })
  expect([env.SMTP_URL, env.PUBLIC_URL, env.DATABASE_REPLICA_URL]).toEqual([undefined, undefined, undefined])
})
