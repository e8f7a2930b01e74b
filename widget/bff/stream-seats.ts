/**
 * Limits the open streams of an origin. A browser keeps at most six connections to a server that speaks HTTP/1.1, and a
 * stream occupies one of them: with more streams, in the frames of a page or in its tabs, no checkout could be started.
 * Who gets no seat polls, as does a browser without Web Locks, and a frame without an origin.
 */

const SEATS = ['gateway-checkout-stream-1', 'gateway-checkout-stream-2']

/** Resolves with the function that leaves the seat; `null` if none is free. A page that ends leaves its seats. */
export async function takeSeat({ navigator }: Window): Promise<(() => void) | null> {
  for (const seat of SEATS) {
    const leave = await hold(navigator.locks, seat)
    if (leave) {
      return leave
    }
  }

  return null
}

function hold(locks: LockManager | undefined, name: string): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    const held = locks?.request(name, { ifAvailable: true }, (lock) => {
      return lock ? new Promise<void>(resolve) : resolve(null)
    })
    // A frame without an origin has no locks.
    void (held ?? Promise.reject()).catch(() => resolve(null))
  })
}
