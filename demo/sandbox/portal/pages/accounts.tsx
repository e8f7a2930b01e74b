import { compare } from '../../../../server/contract/decimal.ts'
import { display } from '../../money/amounts.ts'
import { addressOf } from '../layout.tsx'
import { EVERYONE } from '../../accounts/roles.ts'
import { STATEMENT_READERS } from './statement.tsx'
import type { MerchantAccount } from '../../merchant.ts'
import type { Account } from '../../money/ledger.ts'
import type { Page, Visit } from '../page.ts'

export const accounts: Page = {
  path: '/accounts',
  title: 'Accounts',
  entry: { group: 'Money', label: 'Accounts' },
  roles: EVERYONE,
  show: (visit) => <Accounts {...visit} />,
}

function Accounts(visit: Visit) {
  const { merchant } = visit.world
  return (
    <>
      <div class="cards">
        {merchant.accounts.map((account) => (
          <FloatAccount account={account} visit={visit} />
        ))}
      </div>
      <Partners {...visit} />
    </>
  )
}

function FloatAccount({ account, visit }: { account: MerchantAccount; visit: Visit }) {
  const { number, currency } = account
  const { ledger } = visit.world
  const others = [
    ['Reserved for payouts and airtime', `reserved/${number}/${currency}`],
    ['Held until a service is confirmed', `held/${number}/${currency}`],
    ['Owed to the gateway', `owed/${number}/${currency}`],
  ] as const satisfies [string, Account][]
  return (
    <section class="card">
      <div class="head">
        <h2>{currency}</h2>
        <code>{number}</code>
      </div>
      <p class="amount">{display(ledger.balanceOf(`float/${number}/${currency}`), currency)}</p>
      <dl class="facts sums">
        {others.map(([label, name]) => (
          <div>
            <dt>{label}</dt>
            <dd class="number">{display(ledger.balanceOf(name).replace('-', ''), currency)}</dd>
          </div>
        ))}
      </dl>
      {visit.may(STATEMENT_READERS) ? (
        <p>
          <a
            href={addressOf(`/accounts/${encodeURIComponent(number)}`)}
            aria-label={`Statement of ${number}`}
          >
            Statement
          </a>
        </p>
      ) : null}
    </section>
  )
}

function Partners({ world }: Visit) {
  const { merchant, ledger } = world
  if (merchant.partners.length === 0) return null
  return (
    <section class="card">
      <h2>Partner accounts</h2>
      <p>They receive shares of charges once the service is confirmed.</p>
      <dl class="facts">
        {merchant.partners.map(({ accountNumber, currency, isDynamic }) => {
          const balance = ledger.balanceOf(`partner/${accountNumber}/${currency}`)
          return (
            <div>
              <dt>
                <code>{accountNumber}</code>
              </dt>
              <dd>
                {display(balance, currency)}
                {isDynamic ? ' · a share of every charge with shares goes to it' : ''}
                {compare(balance, '0') === 0 ? ' · nothing yet' : ''}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
