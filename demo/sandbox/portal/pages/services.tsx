import { z } from 'zod'
import { serviceOf } from '../../seeded-merchants.ts'
import { findAccount } from '../../merchant.ts'
import { line } from '../fields.ts'
import { Choice, Form, TextField } from '../form.tsx'
import { addressOf } from '../layout.tsx'
import { form, refused } from '../page.ts'
import { DEVELOPERS, EVERYONE } from '../../accounts/roles.ts'
import { PlainTable } from '../tables.tsx'
import type { ServiceUse } from '../../merchant.ts'
import type { Outcome, Page, Visit } from '../page.ts'

const MOST_SERVICES = 100

export const USES = {
  checkout: 'Checkouts and charges',
  local: 'Local payouts',
  transfer: 'International transfers',
  b2b: 'Payouts to businesses',
} as const satisfies Record<ServiceUse, string>

export const services: Page = {
  path: '/services',
  title: 'Services',
  entry: { group: 'Settings', label: 'Services' },
  roles: EVERYONE,
  show: (visit) => (
    <>
      <List {...visit} />
      {visit.may(DEVELOPERS) ? <Add {...visit} /> : null}
    </>
  ),
  forms: {
    add: form(
      DEVELOPERS,
      z.object({
        code: line('Service code', 32)
          .transform((text) => text.toUpperCase())
          .refine((text) => /^[A-Z0-9]+(-[A-Z0-9]+)*$/.test(text), 'Service code must be like CHECKOUT-KES.'),
        use: z.string(),
        account: z.string(),
      }),
      add,
    ),
  },
}

function add({ world }: Visit, values: { code: string; use: string; account: string }): Outcome {
  const { code } = values
  if (world.services.entry(code)) return refused('code', `Service code ${code} exists already.`)
  if (world.services.list().length >= MOST_SERVICES)
    return refused('code', `Service code: there are ${MOST_SERVICES} services already. Remove one first.`)
  const use = Object.keys(USES).find((name): name is ServiceUse => name === values.use)
  if (use === undefined) return refused('use', 'What it may do must be one of the list.')
  const account = findAccount(world.merchant, values.account)
  const service = account && serviceOf(account, use, code)
  if (!service) return refused('account', 'Account is not one of yours.')
  world.services.add(service)
  return { notice: `${code} was added and is on.` }
}

export function pathOf(code: string): string {
  return `/services/${encodeURIComponent(code)}`
}

export function ServiceState({ isActive }: { isActive: boolean }) {
  return isActive ? <span class="tag good">On</span> : <span class="tag">Off</span>
}

function List({ world }: Visit) {
  const entries = world.services.list()
  if (entries.length === 0) return <section class="card empty">There is no service yet.</section>
  return (
    <section class="card">
      <PlainTable label="Services" heads={['Service code', 'May do', 'Currency', 'Account', 'State']}>
        {entries.map(({ service, isActive }) => (
          <tr>
            <th scope="row">
              <a href={addressOf(pathOf(service.code))}>{service.code}</a>
            </th>
            <td>{USES[service.use]}</td>
            <td>{service.currency}</td>
            <td>
              <code>{service.accountNumber}</code>
            </td>
            <td>
              <ServiceState isActive={isActive} />
            </td>
          </tr>
        ))}
      </PlainTable>
    </section>
  )
}

function Add(visit: Visit) {
  const state = visit.form('add')
  const accounts = visit.world.merchant.accounts.map(({ number, currency }) => [
    number,
    `${currency}: ${number}`,
  ])
  return (
    <section class="card">
      <h2>Add a service</h2>
      <p>Requests name the service by its code, in the field service_code.</p>
      <Form of={state} submit="Add the service">
        <TextField of={state} name="code" label="Service code" />
        <Choice of={state} name="use" label="What it may do" choices={USES} />
        <Choice
          of={state}
          name="account"
          label="Currency and account"
          choices={Object.fromEntries(accounts)}
        />
      </Form>
    </section>
  )
}
