<?php
// Writes the tag for your page with a button that works before and without the element's script.
//
// require 'render_checkout.php';
// echo GatewayCheckout\render_checkout($order, ['server' => 'https://pay.shop.example', 'amount' => 'KES 1500',
//     'payer_name' => 'Asha Otieno', 'payer_email' => 'asha@example.com', 'payer_msisdn' => '+254700000001']);

namespace GatewayCheckout;

const PAY = ['en' => 'Pay', 'ar' => 'ادفع', 'fr' => 'Payer', 'pt' => 'Pagar', 'sw' => 'Lipa'];
const SENT = ['order', 'payer_name', 'payer_email', 'payer_msisdn', 'country', 'return_url', 'method', 'lang'];
const FLAGS = ['required', 'overlay', 'disabled'];

// The longest texts, and the rules of the others, in the order of the attributes.
const RULES = [
    'server' => [
        '(https?://[A-Za-z0-9.:\[\]-]+|/[A-Za-z0-9._~%-]+)(/[A-Za-z0-9._~%!$&\'()*+,;=:@-]*)*',
        'must be an http or https address without query, or a path such as /pay',
    ],
    'order' => 4000,
    'payer_name' => 100,
    'payer_email' => 100,
    'payer_msisdn' => 25,
    'country' => ['[A-Za-z]{2}', 'must be a country code of two letters'],
    'return_url' => ['https?://[!-;=?-~]{1,1990}', 'must be an absolute http or https address'],
    'launch' => ['auto|redirect|popup', 'must be auto, redirect or popup'],
    'method' => ['page|prompt', 'must be page or prompt'],
    'lang' => ['[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}', 'must be a language tag, such as sw or en-KE'],
    'theme' => ['auto|light|dark', 'must be auto, light or dark'],
    'label' => 200,
    'amount' => 100,
    'payee' => 200,
    'name' => 100,
    'nonce' => ['[A-Za-z0-9+/_-]+={0,2}', 'must be base64'],
];

// The rules of the element's style sheet that its button needs.
const STYLE = <<<'CSS'

:host{display:block;max-inline-size:max(26rem,416px)}
:host([hidden]){display:none}
:host([theme=light]),:host([theme=dark]){color:CanvasText;color-scheme:dark}
:host([theme=light]){color-scheme:light}
*{box-sizing:border-box;margin:0}
.base{all:initial;--accent:var(--gateway-checkout-accent,#0f6e5c);--radius:var(--gateway-checkout-radius,12px);display:block;position:relative;color:var(--gateway-checkout-text,inherit);color-scheme:inherit;pointer-events:inherit;visibility:inherit;font-size:max(1rem,16px);line-height:1.45;font-family:var(--gateway-checkout-font,inherit)}
button{display:block;position:relative;inline-size:100%;padding:.8125em 2.5em;border:1px solid transparent;border-radius:var(--radius);color:var(--gateway-checkout-on-accent,#fff);background:var(--accent);font:inherit;font-weight:650;text-align:center;cursor:pointer}
.soft{color:color-mix(in srgb,currentColor 76%,transparent);font-size:.875em}
[part=terms],::slotted([slot=footer]){margin-block-start:.625em}
[part=terms]{text-align:center}
:disabled{cursor:not-allowed;opacity:.6}
:focus-visible{outline:3px solid color-mix(in srgb,var(--accent) 65%,CanvasText);outline-offset:2px;box-shadow:0 0 0 2px Canvas}
@media(hover:hover){button:hover:enabled{background-image:linear-gradient(#0002 0 0)}}
button:active{background-image:linear-gradient(#0004 0 0)}

CSS;

/**
 * Returns the element as HTML. Throws an InvalidArgumentException that names the option and the rule.
 *
 * `$order` is a reference or a signed order. `$options` are those in RULES and FLAGS; `server` and the payer's name,
 * e-mail address and phone number are required (with the method "prompt", only the number). `amount` and `payee` are
 * shown and never sent.
 */
function render_checkout(string $order, array $options): string
{
    $values = read_values(['order' => $order] + $options);
    [$required, $overlay, $disabled] = array_map(fn($flag) => read_flag($options, $flag), FLAGS);
    $nonce = isset($values['nonce']) ? " nonce=\"{$values['nonce']}\"" : '';
    unset($values['nonce']);
    $attributes = '';
    foreach ($values as $name => $value) {
        $attributes .= ' ' . str_replace('_', '-', $name) . '="' . escape($value) . '"';
    }
    return "<gateway-checkout$attributes$required$overlay$disabled>"
        . '<template shadowrootmode="open" shadowrootdelegatesfocus>'
        . "<style$nonce>" . STYLE . '</style>' . form($values) . button($values, $disabled)
        . '</template></gateway-checkout>';
}

function form(array $values): string
{
    $fields = '';
    foreach (SENT as $name) {
        if (!isset($values[$name])) continue;
        $fields .= "<input type=\"hidden\" name=\"$name\" value=\"" . escape($values[$name]) . '">';
    }
    $action = escape($values['server'] . '/checkout/initiate');
    return "<form id=\"form\" method=\"post\" action=\"$action\" hidden>$fields</form>";
}

function button(array $values, string $disabled): string
{
    ['label' => $label, 'amount' => $amount, 'payee' => $payee, 'lang' => $lang] =
        $values + ['label' => '', 'amount' => '', 'payee' => '', 'lang' => ''];
    $language = explode('-', strtolower($lang))[0];
    if (!isset(PAY[$language])) $language = 'en';
    if ($language === 'en') $amount = in_english($amount);
    $said = $label !== '' ? $label : PAY[$language] . ($amount !== '' ? " $amount" : '');
    $terms = implode(" · \u{200f}", array_filter([$label !== '' ? $amount : '', $payee], fn($part) => $part !== ''));
    $hidden = $terms === '' ? ' hidden' : '';
    $dir = $language === 'ar' ? 'rtl' : 'ltr';
    return "<div part=\"base\" class=\"base\" lang=\"$language\" dir=\"$dir\">"
        . '<div><div part="status idle" role="status" aria-atomic="false"></div>'
        . "<button part=\"button\" form=\"form\"$disabled><slot part=\"label\" name=\"label\">" . escape($said)
        . "</slot></button></div><p part=\"terms\" class=\"soft\"$hidden>" . escape($terms)
        . '</p><slot name="footer"></slot></div>';
}

/** Writes an amount like "KES 1500" as the element does in English: "KES 1,500". */
function in_english(string $amount): string
{
    if (!preg_match('/^[A-Z]{3} [0-9]{1,18}$/D', $amount)) return $amount;
    return preg_replace('/\B(?=([0-9]{3})+$)/u', ',', str_replace(' ', "\u{a0}", $amount));
}

function read_values(array $given): array
{
    foreach (array_keys($given) as $name) {
        if (!isset(RULES[$name]) && !in_array($name, FLAGS, true)) throw new \InvalidArgumentException("$name is no option");
    }
    $values = [];
    foreach (RULES as $name => $rule) {
        $value = $given[$name] ?? '';
        if (!is_string($value)) throw new \InvalidArgumentException("$name must be text");
        if ($value === '') continue;
        [$pattern, $said] = is_array($rule) ? $rule : [
            "(?=.*[^ ])[^\\x{0}-\\x{1f}\\x{7f}-\\x{9f}]{1,$rule}",
            "must be at most $rule characters, without control characters and not blank",
        ];
        if (!preg_match("~^(?:" . str_replace('~', '\~', $pattern) . ')$~Du', $value)) {
            throw new \InvalidArgumentException("$name $said");
        }
        $values[$name] = $name === 'server' ? rtrim($value, '/') : $value;
    }
    $payer = ($values['method'] ?? '') === 'prompt' ? [] : ['payer_name', 'payer_email'];
    foreach (['server', 'order', ...$payer, 'payer_msisdn'] as $name) {
        if (!isset($values[$name])) throw new \InvalidArgumentException("$name is missing");
    }
    return $values;
}

function read_flag(array $options, string $flag): string
{
    $value = $options[$flag] ?? false;
    if (!is_bool($value)) throw new \InvalidArgumentException("$flag must be true or false");
    return $value ? " $flag" : '';
}

function escape(string $value): string
{
    return strtr($value, ['&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;', "'" => '&#39;']);
}
