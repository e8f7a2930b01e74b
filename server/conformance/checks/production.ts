/** The checks of what keeps production apart from the sandbox. */

import { expectSuccess } from '../check.ts'
import { expect } from '../expect.ts'
import { openGateway } from '../gateway.ts'
import { liveCredentials } from '../look-alike.ts'
import { INITIATE_PAYOUT, payoutRequest } from '../payout.ts'

import type { Check } from '../check.ts'
import type { Json } from '../connection.ts'
import type { Answer, Gateway } from '../gateway.ts'

const AUTH = '/v1/auth'

/** The answers of production on the way from the sandbox to the first payout. */
interface FirstSteps {
  /** To the keys of the sandbox. */
  sandboxKeys: Answer
  /** To keys that the portal of production has created. */
  newKeys: Answer
  beforeOnboarding: Json
  beforeFunds: Json
  /** The same payout with a token of the sandbox, when nothing else is missing. */
  withSandboxToken: Answer
  ready: Json
}

function firstSteps(gateway: Gateway): Promise<FirstSteps> {
  return gateway.remember('the first steps in production', async () => {
    const isSandbox = gateway.lacks(['sandbox']).length === 0
    const sandbox = isSandbox ? gateway : await gateway.otherEnvironment()
    const { connection, portal } = await gateway.newProduction()
    const credentials = liveCredentials(await portal.createKey())
    const production = await openGateway({ ...connection, credentials })
    const authenticate = ({ consumer_key, consumer_secret }: Gateway['credentials']) =>
      production.ask('POST', AUTH, { consumer_key, consumer_secret })
    const sandboxKeys = await authenticate(sandbox.credentials)
    const newKeys = await authenticate(credentials)

    await portal.addService(credentials.services.payout, 'local')
    const request = payoutRequest('local', production)
    const pay = async () => (await production.post(INITIATE_PAYOUT.local, request)).body
    const beforeOnboarding = await pay()
    await portal.completeOnboarding()
    const beforeFunds = await pay()
    await portal.fund('5000')
    const headers = { 'x-access-token': await sandbox.token() }
    const withSandboxToken = await production.ask('POST', INITIATE_PAYOUT.local, request, headers)
    return { sandboxKeys, newKeys, beforeOnboarding, beforeFunds, withSandboxToken, ready: await pay() }
  })
}

const firstStep = (rows: readonly string[], fact: string, holds: (steps: FirstSteps) => void): Check => ({
  rows,
  fact: `production ${fact}`,
  needs: ['production'],
  run: async (gateway) => holds(await firstSteps(gateway)),
})

export const productionChecks: Check[] = [
  firstStep(
    ['General behaviour / 2 / new keys', 'Authentication / 2 / portal'],
    'refuses keys of the sandbox, and takes those that its portal creates',
    ({ sandboxKeys, newKeys }) => {
      expect([400, 401], sandboxKeys.text).toContain(sandboxKeys.status)
      expectSuccess(newKeys)
      expect(newKeys.body.access_token).toMatch(/\S/)
    },
  ),
  ...(
    [
      ['onboarding', 'the onboarding is complete', 'beforeOnboarding', 'SERVICE_NOT_ALLOWED'],
      ['funds', 'the float is funded', 'beforeFunds', 'INSUFFICIENT_BALANCE'],
    ] as const
  ).map(([claim, condition, before, error_code]) =>
    firstStep([`General behaviour / 4 / ${claim}`], `refuses payouts until ${condition}`, (steps) => {
      expect(steps[before]).toMatchObject({ response_code: 721, error_code })
      expect(steps.ready).toMatchObject({ response_code: 720 })
    }),
  ),
  firstStep(
    ['General behaviour / 4 / production keys'],
    'refuses payouts with a token of the sandbox, also when nothing else is missing',
    ({ withSandboxToken: { status, body, text }, ready }) => {
      expect(status >= 400 || body?.response_code === 721, text).toBe(true)
      expect(ready).toMatchObject({ response_code: 720 })
    },
  ),
]
