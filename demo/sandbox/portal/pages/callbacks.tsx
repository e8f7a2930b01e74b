import { z } from 'zod'
import { callbackAddressProblem } from '../../wire/addresses.ts'
import { Form, TextField } from '../form.tsx'
import { form, refused } from '../page.ts'
import { DEVELOPERS, EVERYONE } from '../../accounts/roles.ts'
import type { Page, Visit } from '../page.ts'

/** The URL types. [spec: What the service does, 3; Events] */
const TYPES = {
  b2c_callback_url: {
    label: 'B2C notifications',
    hint: 'Results of payouts whose request has no callback_url.',
  },
  airtime_callback_url: { label: 'Airtime', hint: 'Results of airtime, one callback for each recipient.' },
  charge_callback_url: { label: 'Charges', hint: 'Results of charges.' },
} as const

const NAMES = ['b2c_callback_url', 'airtime_callback_url', 'charge_callback_url'] as const
const LONGEST = 500

export const callbacks: Page = {
  path: '/callback-urls',
  title: 'Callback URLs',
  entry: { group: 'Settings', label: 'Callback URLs' },
  roles: EVERYONE,
  show: (visit) => <CallbackUrls {...visit} />,
  forms: {
    save: form(
      DEVELOPERS,
      z.object({
        b2c_callback_url: address(TYPES.b2c_callback_url.label),
        airtime_callback_url: address(TYPES.airtime_callback_url.label),
        charge_callback_url: address(TYPES.charge_callback_url.label),
      }),
      ({ world }, addresses) => {
        for (const name of NAMES) {
          const url = addresses[name]
          const problem = url && callbackAddressProblem(url, world.callbackHosts, TYPES[name].label)
          if (problem) return refused(name, problem)
        }
        world.portal.set(addresses)
        return { notice: 'The callback URLs were saved.' }
      },
    ),
  },
}

function address(label: string): z.ZodType<string | null, string> {
  return z
    .string()
    .trim()
    .max(LONGEST, `${label} must have at most ${LONGEST} characters.`)
    .transform((url) => (url === '' ? null : url))
}

function CallbackUrls(visit: Visit) {
  const save = visit.form('save')
  const saved = visit.world.portal.addresses()
  return (
    <section class="card">
      <p>
        Checkouts and most payouts name their own <code>callback_url</code>. These addresses are for what has
        none. Without an address, no callback is sent.
      </p>
      {visit.may(DEVELOPERS) ? (
        <Form of={save} submit="Save">
          <Field of={save} name="b2c_callback_url" saved={saved.b2c_callback_url} />
          <Field of={save} name="airtime_callback_url" saved={saved.airtime_callback_url} />
          <Field of={save} name="charge_callback_url" saved={saved.charge_callback_url} />
        </Form>
      ) : (
        <dl class="facts">
          <Fact name="b2c_callback_url" saved={saved.b2c_callback_url} />
          <Fact name="airtime_callback_url" saved={saved.airtime_callback_url} />
          <Fact name="charge_callback_url" saved={saved.charge_callback_url} />
        </dl>
      )}
    </section>
  )
}

interface Saved {
  name: keyof typeof TYPES
  saved: string | null
}

function Field({ of, name, saved }: Saved & { of: ReturnType<Visit['form']> }) {
  return <TextField of={of} name={name} {...TYPES[name]} type="url" value={saved ?? ''} optional />
}

function Fact({ name, saved }: Saved) {
  return (
    <div>
      <dt>{TYPES[name].label}</dt>
      <dd>{saved ?? 'None'}</dd>
    </div>
  )
}
