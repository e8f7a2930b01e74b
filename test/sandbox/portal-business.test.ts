import { expect, test } from 'vitest'
import { CALLBACKS, openMerchant } from './merchant.ts'
import { formIn, problemsIn, signedIn } from './portal-visitor.ts'

const merchant = await openMerchant()
const { app } = merchant.sandbox
const [owner, viewer] = [await signedIn(app), await signedIn(app, 'viewer')]

test('money for the float arrives in the ledger', async () => {
  const before = await merchant.balance()
  await owner.open('/float')
  const form = formIn(owner.page().html, 'fund', {
    account: 'ACC-001',
    amount: '2 500.50',
    reference: '<b>T1</b>',
  })
  expect(await owner.post(form)).toMatchObject({ status: 303, location: '/portal/float' })
  const { html } = await owner.follow()
  expect(html).toContain('KES 2,500.50 arrived on ACC-001.')
  expect((await owner.open('/accounts/ACC-001')).html).toContain('&lt;b&gt;T1&lt;/b&gt;')
  expect([before, await merchant.balance()]).toEqual(['1000000.00', '1002500.50'])
  expect((await merchant.ledger()).totals['KES']).toBe('0.00')
})

test.each<[string, Record<string, string>, string]>([
  ['no amount', { amount: '' }, 'amount'],
  ['0', { amount: '0.00' }, 'amount'],
  ['a negative amount', { amount: '-5' }, 'amount'],
  ['three fraction digits', { amount: '1.005' }, 'amount'],
  ['a word', { amount: 'ten' }, 'amount'],
  ['more than a billion', { amount: '1000000000.01' }, 'amount'],
  ['an account of somebody else', { account: 'PARTNER-001' }, 'account'],
  ['no reference', { reference: ' ' }, 'reference'],
])('funding with %s is refused, and moves nothing', async (_, wrong, field) => {
  const before = await merchant.ledger()
  await owner.open('/float')
  const fields = { account: 'ACC-001', amount: '10', reference: 'T2', ...wrong }
  const { status, html } = await owner.send('fund', fields)
  expect([status, Object.keys(problemsIn(html))]).toEqual([422, [field]])
  expect(html).toContain(`value="${field === 'reference' ? '10' : 'T2'}"`)
  expect(await merchant.ledger()).toEqual(before)
})

test('callback URLs are saved by type, and removed when they are empty', async () => {
  await owner.open('/callback-urls')
  await owner.send('save', {
    b2c_callback_url: ' https://shop.example/b2c ',
    airtime_callback_url: '',
    charge_callback_url: `${CALLBACKS}/charges`,
  })
  expect(await merchant.control('/portal')).toEqual({
    b2c_callback_url: 'https://shop.example/b2c',
    airtime_callback_url: null,
    charge_callback_url: `${CALLBACKS}/charges`,
  })
  expect((await viewer.open('/callback-urls')).html).toContain('https://shop.example/b2c')
})

test('onboarding goes step by step, and its answers stay once they are agreed to', async () => {
  await owner.open('/onboarding')
  const early = formIn(owner.page().html, 'business')
  const agreement = { ...early, action: '/portal/onboarding/agreement' }
  const signed = { signed_by: 'Amina', agreed: 'on' }
  const refusal = await owner.post({ ...agreement, fields: { ...agreement.fields, ...signed } })
  expect(problemsIn(refusal.html)['signed_by']).toContain('Business first')

  await owner.open('/onboarding')
  await owner.send('business', { legal_name: '<b>Pwani</b>', registration_number: 'PVT-1', country: 'Kenya' })
  await owner.follow()
  // The first of several wrong fields has the focus.
  const both = await owner.send('person', { full_name: '', email: 'amina', phone: '1' })
  expect(both.html).toMatch(/name="full_name"[^>]*autofocus/)
  expect(both.html.match(/autofocus/g)).toHaveLength(1)
  const wrong = await owner.send('person', { full_name: 'Amina', email: 'amina', phone: '1' })
  expect([Object.keys(problemsIn(wrong.html)), wrong.html]).toEqual([
    ['email'],
    expect.stringContaining('value="Amina"'),
  ])
  await owner.send('person', { full_name: 'Amina', email: 'amina@pwani.example', phone: '+254 700 000001' })
  await owner.follow()
  await owner.send('bank', { bank: 'Bank', account_name: 'Pwani', account_number: '1' })
  await owner.follow()
  expect(problemsIn((await owner.send('agreement', { signed_by: 'Amina' })).html)).toHaveProperty('agreed')
  await owner.send('agreement', signed)
  const { html } = await owner.follow()
  expect(html).toContain('Onboarding is complete')
  expect(html).not.toContain('<b>Pwani')

  const late = { legal_name: 'Other', registration_number: 'X', country: 'X', form: 'late' }
  const changed = await owner.post({ ...early, fields: { ...early.fields, ...late } })
  expect(problemsIn(changed.html)['legal_name']).toContain('complete')
  expect((await viewer.open('/onboarding')).html).toContain('&lt;b&gt;Pwani&lt;/b&gt;')
})
