import { expect, test } from 'vitest'

import { formatMoney } from '../../../widget/state/money.ts'

test('amounts stay exact, however long', () => {
  expect(formatMoney('90071992547409931.25', 'KES', 'en')).toBe('KES\u00a090,071,992,547,409,931.25')
})
