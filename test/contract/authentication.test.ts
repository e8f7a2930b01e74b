import { expect, test } from 'vitest'

import { Credentials, Token } from '../../server/contract/authentication.ts'
import { authAnswer, authAnswerOfRates, authRequest } from '../support/spec/shapes.ts'

test.each(['consumer_key', 'consumer_secret'] as const)('credentials require a %s', (field) => {
  for (const wrong of [undefined, null, '', '   ', 7, 'x'.repeat(256)]) {
    const { success, error } = Credentials.safeParse({ ...authRequest, [field]: wrong })
    expect({ success, issues: error?.issues.map(({ path }) => path.join('.')) }).toEqual({
      success: false,
      issues: [field],
    })
  }
})

test.each([
  ['expiresIn as a number', authAnswer],
  ['expires_in as text', authAnswerOfRates],
  ['expiresIn as text', { access_token: 'an-access-token', expiresIn: '3600' }],
  ['one name that says nothing', { ...authAnswer, expires_in: null }],
  ['fields that nobody knows', { ...authAnswer, token_type: 'bearer', scope: [] }],
])('a token lives an hour with %s', (_, answer) => {
  expect(Token.parse(answer)).toEqual({ access_token: 'an-access-token', expiresIn: 3600 })
})

test.each([[undefined], [null], [''], ['soon'], ['0xe10'], ['36e2'], [true], [0], [-1], [{}]])(
  'a token with a lifetime of %j has an unknown lifetime',
  (expiresIn) => {
    expect(Token.parse({ access_token: 'a', expiresIn })).toEqual({ access_token: 'a', expiresIn: null })
  },
)

test.each([[undefined], [null], [''], [7]])('a token is never %j', (access_token) => {
  expect(Token.safeParse({ ...authAnswer, access_token }).success).toBe(false)
})
