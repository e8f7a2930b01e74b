import { expect, test } from 'vitest'

import { choosePayer } from '../../../server/checkouts/payer.ts'
import { choosePrompt, describeMethods } from '../../../server/checkouts/prompt.ts'
import { readConfig } from '../../../server/config/config.ts'
import { operatorOfNumber } from '../../../widget/state/operator.ts'
import { ENVIRONMENT } from '../../support/worlds/environment.ts'

const METHODS =
  'OTHER=Other:999,MOMO=MoMo:25470 25471 22507,WAVELET=Wavelet:254710 25473,UGANDA=Uganda:25677,GHANA=Ghana:23324'
const ORDER = { order: 'A-1', amount: '500', currency: 'KES' }

const { charges } = readConfig({ ...ENVIRONMENT, GATEWAY_CHARGE_METHODS: METHODS })

test.each([
  ['0700 000 001', 'KE', 'MoMo'],
  ['700000001', 'KE', 'MoMo'],
  ['254700000001', 'KE', 'MoMo'],
  ['+254 700-000-001', 'KE', 'MoMo'],
  ['+254 (0) 700 000 001', 'KE', 'MoMo'],
  ['00254700000001', 'KE', 'MoMo'],
  ['٠٧٠٠٠٠٠٠٠١', 'KE', 'MoMo'],
  ['۰۷۰۰۰۰۰۰۰۱', 'KE', 'MoMo'],
  ['0710 000 001', 'KE', 'Wavelet'],
  ['+256 772 000 001', 'KE', 'Uganda'],
  ['07 00 00 00 01', 'CI', 'MoMo'],
  ['0244 000 001', 'GH', 'Ghana'],
  ['+254700000001', '', 'MoMo'],
])('the operator of %s in %s is the one that the payment server asks: %s', (typed, country, name) => {
  const payer = choosePayer({ ...ORDER, narration: 'Two kangas' }, { msisdn: typed }, country || null)
  const msisdn = 'msisdn' in payer ? payer.msisdn : undefined
  const asked = choosePrompt(charges, ORDER, msisdn, undefined)
  const { code } = charges?.methods.find((method) => method.name === name) ?? {}
  expect(asked).toMatchObject({ method: code })
  expect(operatorOfNumber(typed, describeMethods(charges, country || null))).toMatchObject({ name })
})

test.each([
  ['', 'KE'],
  ['07', 'KE'],
  ['0790 000 001', 'KE'],
  ['+256 700 000 001', 'KE'],
  ['+70 000 001', 'KE'],
  ['0700 000 001', ''],
  ['Asha', 'KE'],
])('%j in %j belongs to no operator that is known', (typed, country) => {
  expect(operatorOfNumber(typed, describeMethods(charges, country || null))).toBeNull()
})
