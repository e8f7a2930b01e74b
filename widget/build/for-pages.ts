/**
 * What makes the files for pages small: Rolldown and Terser shorten, and what they cannot know is told here. The
 * package for npm has none of it.
 */

import { minify } from 'terser'
import { minifySync, parseSync, Visitor } from 'vite'
import type { Rolldown } from 'vite'

/**
 * Names that nobody outside a built file says: what Lit marks as its own (`_$`) or offers to subclasses, and what the
 * element's parts call each other. A name left out costs a few bytes; a public one in here would break a page, and
 * so would one that Lit looks up as text (`elementProperties`, `finalized`).
 */
const INNER_NAMES = new RegExp(
  `^(${[
    '_|_\\$.+|createRenderRoot|creationScope|ctor|elementStyles|enableUpdating|endNode|finalize|finalizeStyles',
    'createProperty|firstUpdated|fromAttribute|getPropertyDescriptor|getPropertyOptions|getUpdateComplete|parts|performUpdate|renderBefore',
    'renderOptions|scheduleUpdate|setConnected|shouldUpdate|startNode|strings|toAttribute|updated|willUpdate|wrapped',
    'clockSkewMs|draft|fields|isDisabled|isFree|isOnline|isUsable|lookAround|openingText|press|problems|reopen',
    'hasUpdated|hostConnected|hostDisconnected|hostUpdate|hostUpdated|isUpdatePending|retryAfterMs|serverNowMs|session|takeUp|trouble',
  ].join('|')})$`,
)

/** What a page downloads, as small as it gets. */
export function forPages(output: Rolldown.OutputOptions): Rolldown.RolldownOptions {
  return {
    plugins: [closeUpTemplates(), pruneLit()],
    output: { ...output, minify: false, plugins: [shorten()] },
  }
}

/**
 * White space in a template or a style sheet is there for whoever reads the source. Each line end that goes is put
 * back behind the text, where it is only code: so lines keep their numbers, and the source map its truth.
 */
function closeUpTemplates(): Rolldown.Plugin {
  return {
    name: 'close-up-templates',
    transform: {
      filter: { id: /\/widget\/.*\.ts$/ },
      handler(code, id) {
        const texts: { start: number; end: number; isStyle: boolean }[] = []
        new Visitor({
          TaggedTemplateExpression({ tag, quasi }) {
            const isStyle = tag.type === 'Identifier' && tag.name === 'css'
            for (const { start, end } of quasi.quasis) texts.push({ start, end, isStyle })
          },
        }).visit(parseSync(id, code).program)
        let closed = ''
        let done = 0
        for (const { start, end, isStyle } of texts.toSorted((one, other) => one.start - other.start)) {
          const text = code.slice(start, end)
          const short = text.replaceAll(/\s+/g, ' ')
          closed +=
            code.slice(done, start) +
            (isStyle
              ? short
                  .replaceAll(/ ?([{};,]|\b:) /g, '$1')
                  .replaceAll(';}', '}')
                  .replaceAll(/='(\w+)'/g, '=$1')
                  .replaceAll('0.', '.')
              : short.replaceAll('> <', '><'))
          closed += text.replaceAll(/[^\n]/g, '')
          done = end
        }
        return { code: closed + code.slice(done), map: null }
      },
    },
  }
}

/** Of Lit, what no page of ours has: each is a text of its files, and what stands there instead. */
const LEFT_OUT: [text: RegExp, instead: string][] = [
  // Offers to polyfills that no browser of today needs, and a list of versions that nobody reads.
  [/\w+\.(ShadyCSS|\w+(Polyfill|Hydrate)Support)\b/g, 'undefined'],
  [/\(\w+\.\w+Versions\s*\?\?=\s*\[\]\)\.push\(.*?\)/g, 'undefined'],
  // Every browser of the last three years takes a style sheet as an object.
  [/\w+\.ShadowRoot&&\(.*?CSSStyleSheet\.prototype/, 'true'],
  // Decorators.
  [/Symbol\.metadata\?\?=.*?new WeakMap;/, ''],
  [/const (\w)=this\[Symbol\.metadata\];if\(null!==\1\)\{.*?\}/, ''],
  [/void 0!==(\w)\.l&&\(this\.l=\[\.\.\.\1\.l\]\),/, ''],
  [/,this\.constructor\.l\?\.forEach\(\w=>\w\(this\)\)/, ''],
  // Reactive properties: ours are attributes.
  [/if\((this\.finalized=!0,this\._\$Ei\(\)),.*?\}(?=this\.elementStyles)/, '$1;'],
  [/,this\._\$E_\(\)/, ''],
  [/if\((this\.renderRoot\?\?=[^,]*),this\._\$Ep\)\{.*?\}(?=let)/, '$1}'],
  [
    /requestUpdate\((\w),(\w),\w,\w=.*?(?=!1===this)/,
    'requestUpdate($1,$2){if($1){if(Object.is(this[$1],$2))return;this.C($1,$2)}',
  ],
  [
    /C\((\w),(\w),\{.*?\}(?=async)/,
    'C($1,$2){this._$$AL.has($1)||this._$$AL.set($1,this.hasUpdated?$2:void 0)}',
  ],
  [/this\._\$Eq&&=.*?\)\),/, ''],
  // Directives.
  [/(function \w\(\w,(\w),\w=\w,\w\)\{)if\(\2===\w\)return \2;.*?,\2\}/, '$1return $2}'],
  [/,this\._\$Do\?\.setConnected\(!\d\)/g, ''],
  // Templates of SVG and MathML, compiled ones, and what is written inside <style>, <script>, <textarea> or <title>.
  [/\d===\w\?"<\/?svg>":\d===\w\?"<\/?math>":""/g, '""'],
  [/if\((this\.el=[^;]*?),2===\w\|\|3===\w\)\{.*?\}(?=for)/, '$1;'],
  [/"number"==typeof \w\?(this\._\$AC\(\w\)):\(.*?,\w\)/, '$1'],
  [/if\(\w\.test\(\w\.tagName\)\)\{.*?\}\}(?=\}else if\(8)/, ''],
  // Style sheets of several kinds, and what is bound to an element itself or written in a comment.
  [/static finalizeStyles\((\w)\)\{.*?return \w\}/, 'static finalizeStyles($1){return $1}'],
  [/else \w\.startsWith\(\w\)&&\(\w\.push\(\{type:6.*?\}\),\w\.removeAttribute\(\w\)\)/, ''],
  [/:6===\w\.type&&\(\w=new \w\(\w,this,\w\)\)/, ':0'],
  [/(\w\.push\(\{type:2,index:\w\}\));else\{let \w=-1;for\(.*?\.length-1\}/, '$1;'],
]

/** Methods of Lit's classes that nothing of ours calls any more, or ever: those of decorators, properties, directives. */
const UNCALLED = new RegExp(
  `^(${[
    'addInitializer|createProperty|getPropertyDescriptor|getPropertyOptions|observedAttributes|_\\$E_|_\\$Eu',
    'attributeChangedCallback|_\\$AK|_\\$ET|removeController',
    'endNode|parentNode|setConnected|startNode|tagName|_\\$AU',
  ].join('|')})$`,
)

function pruneLit(): Rolldown.Plugin {
  return {
    name: 'prune-lit',
    transform: {
      filter: { id: /\/node_modules\/(@lit|lit-)/ },
      handler(code, id) {
        let left = LEFT_OUT.reduce((rest, [text, instead]) => rest.replace(text, instead), code)
        const uncalled: { start: number; end: number }[] = []
        new Visitor({
          MethodDefinition({ key, start, end }) {
            if (key.type === 'Identifier' && UNCALLED.test(key.name)) uncalled.push({ start, end })
          },
        }).visit(parseSync(id, left).program)
        for (const { start, end } of uncalled.toReversed()) left = left.slice(0, start) + left.slice(end)
        return { code: left, map: null }
      },
    },
  }
}

/** Asks Chromium to compile all of a file off the main thread, while that still waits for it; others read a comment. */
const COMPILE_AHEAD = '//# allFunctionsCalledOnLoad'

/** Inner names by Rolldown's minifier; Terser then finds 200 bytes more in what is left. */
function shorten(): Rolldown.Plugin {
  return {
    name: 'shorten',
    async renderChunk(code, { fileName, isEntry }, { format }) {
      const module = format === 'es'
      const mangleProps = { include: INNER_NAMES }
      const first = minifySync(fileName, code, { module, sourcemap: true, mangleProps })
      const { code: short, map } = await minify(first.code, {
        module,
        ecma: 2020,
        compress: { passes: 3, keep_fargs: false },
        format: { preamble: isEntry ? COMPILE_AHEAD : '' },
        sourceMap: { content: JSON.stringify(first.map) },
      })
      return { code: short ?? first.code, map: typeof map === 'string' ? map : null }
    },
  }
}
