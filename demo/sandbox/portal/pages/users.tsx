import { z } from 'zod'
import { Choice, Form, TextField } from '../form.tsx'
import { email, line, role } from '../fields.ts'
import { addressOf } from '../layout.tsx'
import { form, refused } from '../page.ts'
import { OWNERS, ROLES } from '../../accounts/roles.ts'
import { PlainTable } from '../tables.tsx'
import type { Page, Visit } from '../page.ts'

const MOST_USERS = 50

export const users: Page = {
  path: '/users',
  title: 'Users',
  entry: { group: 'Business', label: 'Users' },
  roles: OWNERS,
  show: (visit) => (
    <>
      <List {...visit} />
      <Add {...visit} />
    </>
  ),
  forms: {
    add: form(
      OWNERS,
      z.object({ email: email('E-mail address'), name: line('Name', 60), role }),
      ({ world }, values) => {
        const merchant = world.merchant.clientCode
        if (world.users.listOf(merchant).length >= MOST_USERS)
          return refused('email', `E-mail address: there are ${MOST_USERS} users already. Remove one first.`)
        const password = world.users.add({ ...values, merchant })
        if (password === null) return refused('email', 'E-mail address belongs to a user already.')
        return {
          to: pathOf(values.email),
          notice: `${values.name} was added.`,
          secret: { of: values.email, value: password },
        }
      },
    ),
  },
}

export function pathOf(address: string): string {
  return `/users/${encodeURIComponent(address)}`
}

function List({ world, user: self }: Visit) {
  return (
    <section class="card">
      <PlainTable label="Users" heads={['Name', 'E-mail address', 'Role']}>
        {world.users.listOf(self.merchant).map((user) => (
          <tr>
            <th scope="row">
              <a href={addressOf(pathOf(user.email))}>{user.name}</a>
              {user.email === self.email ? ' (you)' : ''}
            </th>
            <td>{user.email}</td>
            <td>
              <span class="tag">{user.role}</span>
            </td>
          </tr>
        ))}
      </PlainTable>
    </section>
  )
}

function Add(visit: Visit) {
  const add = visit.form('add')
  return (
    <section class="card">
      <h2>Add a user</h2>
      <p>The user gets a password, which you see once on the next page.</p>
      <Form of={add} submit="Add the user">
        <TextField of={add} name="name" label="Name" />
        <TextField of={add} name="email" label="E-mail address" type="email" />
        <RoleChoice of={add} value="viewer" />
      </Form>
    </section>
  )
}

export function RoleChoice({ of, value }: { of: ReturnType<Visit['form']>; value: string }) {
  const choices = Object.fromEntries(Object.entries(ROLES).map(([name, does]) => [name, `${name}: ${does}`]))
  return <Choice of={of} name="role" label="Role" value={value} choices={choices} />
}
