import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Page, PageScreenshotOptions } from 'playwright'

type Clip = NonNullable<PageScreenshotOptions['clip']>

const FONTS = `* { font-family: 'DejaVu Sans' !important; animation: none !important; caret-color: transparent !important }
  code, code *, pre, textarea { font-family: 'DejaVu Sans Mono' !important }`
const SQUARE = 8
/** The largest difference of colours (0–255, per channel, averaged over a square) that is ignored. */
const FAINT = 24
/** How many of 1,000 squares may differ: letters differ slightly between machines. */
const FEW_IN_1000 = 3

/**
 * Compares the page that is shown with its stored picture, and returns what differs. With LOOKS=renew, stores the
 * picture instead.
 *
 * @param name The folder and the name of the picture.
 * @param scale The size of a stored picture, of which 1 is the size of the page.
 * @param options.clip The part of the page to compare. Default: the whole page.
 * @param options.few How many of 1,000 squares may differ.
 */
export async function expectLooks(
  page: Page,
  name: string,
  scale: number,
  { clip, few = FEW_IN_1000 }: { clip?: Clip | undefined; few?: number } = {},
): Promise<string[]> {
  await page.addStyleTag({ content: FONTS })
  const shot = await page.screenshot({ fullPage: true, animations: 'disabled', ...(clip && { clip }) })
  const shown = `data:image/png;base64,${shot.toString('base64')}`
  const file = new URL(`${name}.webp`, import.meta.url)
  if (process.env.LOOKS === 'renew') {
    mkdirSync(dirname(fileURLToPath(file)), { recursive: true })
    writeFileSync(file, Buffer.from(await page.evaluate(reduce, { shown, scale }), 'base64'))
  }
  if (!existsSync(file)) {
    return [`${name} has no picture; LOOKS=renew makes one`]
  }

  const kept = `data:image/webp;base64,${readFileSync(file).toString('base64')}`
  const { other, of } = await page.evaluate(compare, { shown, kept, scale, square: SQUARE, faint: FAINT })
  return other * 1_000 > of * few ? [`${name}: ${other} of ${of} squares differ`] : []
}

async function reduce({ shown, scale }: { shown: string; scale: number }): Promise<string> {
  const image = Object.assign(new Image(), { src: shown })
  await image.decode()
  const width = Math.ceil(image.width * scale)
  const height = Math.ceil(image.height * scale)
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height)
  return canvas.toDataURL('image/webp', 0.6).replace(/.*,/, '')
}

interface Pictures {
  shown: string
  kept: string
  scale: number
  square: number
  faint: number
}

async function compare({
  shown,
  kept,
  scale,
  square,
  faint,
}: Pictures): Promise<{ other: number; of: number }> {
  const load = async (src: string) => {
    const image = Object.assign(new Image(), { src })
    await image.decode()
    return image
  }

  const [one, other] = await Promise.all([load(shown), load(kept)])
  const width = Math.floor(one.width / square)
  const height = Math.floor(one.height / square)
  const of = width * height
  // A page of another length is another page.
  if (Math.abs(other.height / scale - one.height) > square) {
    return { other: of, of }
  }

  const squares = (image: HTMLImageElement) => {
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
    if (context === null) {
      throw new Error('Nothing to draw on.')
    }

    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, width, height)
    return context.getImageData(0, 0, width, height).data
  }

  const a = squares(one)
  const b = squares(other)
  let unequal = 0
  for (let at = 0; at < a.length; at += 4) {
    if ([at, at + 1, at + 2].some((i) => Math.abs((a[i] ?? 0) - (b[i] ?? 0)) > faint)) {
      unequal++
    }
  }

  return { other: unequal, of }
}
