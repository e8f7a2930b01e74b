import { expect } from 'vitest'
import { expectSuccess } from '../check.ts'
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

export const productionChecks: Check[] = [
  {
    rows: ['General behaviour / 2 / new keys', 'Authentication / 2 / portal'],
    fact: 'production refuses keys of the sandbox, and takes those that its portal creates',
    needs: ['production'],
    async run(gateway) {
      const { sandboxKeys, newKeys } = await firstSteps(gateway)
      expect([400, 401], sandboxKeys.text).toContain(sandboxKeys.status)
      expectSuccess(newKeys)
      expect(newKeys.body.access_token).toMatch(/\S/)
    },
  },
  {
    rows: ['General behaviour / 4 / onboarding'],
    fact: 'production refuses payouts until the onboarding is complete',
    needs: ['production'],
    async run(gateway) {
      const { beforeOnboarding, ready } = await firstSteps(gateway)
      expect(beforeOnboarding).toMatchObject({ response_code: 721, error_code: 'SERVICE_NOT_ALLOWED' })
      expect(ready).toMatchObject({ response_code: 720 })
    },
  },
  {
    rows: ['General behaviour / 4 / funds'],
    fact: 'production refuses payouts until the float is funded',
    needs: ['production'],
    async run(gateway) {
      const { beforeFunds, ready } = await firstSteps(gateway)
      expect(beforeFunds).toMatchObject({ response_code: 721, error_code: 'INSUFFICIENT_BALANCE' })
      expect(ready).toMatchObject({ response_code: 720 })
    },
  },
  {
    rows: ['General behaviour / 4 / production keys'],
    fact: 'production refuses payouts with a token of the sandbox, also when nothing else is missing',
    needs: ['production'],
    async run(gateway) {
      const { withSandboxToken, ready } = await firstSteps(gateway)
      const { status, body, text } = withSandboxToken
      expect(status >= 400 || body?.response_code === 721, text).toBe(true)
      expect(ready).toMatchObject({ response_code: 720 })
    },
  },
]
