import { describe, expect, test } from 'vitest'
import { embed, start } from '../../server/start.ts'
import { LEAST, problemsOf } from '../support/least-config.ts'
import { localPayout } from '../support/spec-payouts.ts'
import { createTerminal } from '../support/terminal.ts'

describe('in production, a store in memory', () => {
  const STORE = { STORE_URL: 'sqlite::memory:' }

  test('is refused, because a restart loses every payment', () => {
    expect(problemsOf(STORE)).toEqual([expect.stringMatching(/^STORE_URL .*in memory.*production/)])
    expect(problemsOf({ STORE_URL_FILE: '/run/store' }, () => 'sqlite::memory:\n')).toHaveLength(1)
  })

  test('is accepted in a rehearsal and in the sandbox, where check says what production refuses', async () => {
    expect(problemsOf({ ...STORE, GATEWAY_REHEARSAL: '1' })).toEqual([])
    expect(problemsOf({ ...STORE, GATEWAY_ENVIRONMENT: 'sandbox' })).toEqual([])
    const { out } = await createTerminal({ STORE_URL: STORE.STORE_URL }).run('check')
    expect(out).toMatch(/^· store: STORE_URL is in memory/m)
    expect(out).toMatch(/^✗ configuration: STORE_URL .*in memory/m)
  })

  test.each([
    ['embed', () => embed({ orders: () => null, env: { ...LEAST, ...STORE } })],
    ['start', () => start({ orders: () => null, env: { ...LEAST, ...STORE } })],
  ])('stops %s', async (_, open) => {
    await expect(open()).rejects.toThrow(/STORE_URL .*in memory/)
  })

  test('stops serve and check', async () => {
    for (const command of ['serve', 'check']) {
      const { code, err } = await createTerminal().run(command, { env: { ...LEAST, ...STORE } })
      expect([code, err]).toEqual([78, expect.stringMatching(/STORE_URL .*in memory/)])
    }
  })
})

describe('in the sandbox, with a store in memory', () => {
  const env = { STORE_URL: 'sqlite::memory:' }
  const sentence =
    'STORE_URL is in memory: only the running server sees its payments. Set STORE_URL=sqlite:gateway-checkout.sqlite.\n'

  test.each([
    'events list',
    'events replay evt_1',
    'api GET /api/payouts',
    'erase --reference ORDER-1',
    'backup /nowhere/store.sqlite',
    'recover',
  ])('the command %s says that it sees no payment', async (command) => {
    const { code, err, out } = await createTerminal(env).run(command)
    expect({ code, err, out }).toEqual({ code: 78, err: sentence, out: '' })
  })

  test('payouts are not sent, because their record would be lost with the command', async () => {
    const { post, countRequests } = createTerminal(env)
    expect(await post('/payouts', localPayout)).toMatchObject({ code: 78, err: sentence })
    expect(await countRequests('/v1/payouts/initiate')).toBe(0)
  })
})
