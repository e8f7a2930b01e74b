/** The merchant portal: addresses for callbacks of requests without a `callback_url`. */

import type { Mailbox } from './callback-receiver.ts'
import type { Gateway } from './gateway.ts'

type Setting = 'airtime_callback_url' | 'charge_callback_url' | 'b2c_callback_url'

/** Sets an address in the portal while `run` runs. Needs control. */
export async function withPortal(
  gateway: Gateway,
  setting: Setting,
  run: (mailbox: Mailbox) => Promise<void>,
): Promise<void> {
  const mailbox = gateway.mailbox()
  await gateway.control('/portal', { [setting]: mailbox.url })
  try {
    await run(mailbox)
  } finally {
    await gateway.control('/portal', { [setting]: null })
  }
}
