import type { GOODS } from './goods.ts'

const PICTURES = {
  kikoi: (
    <>
      <rect width="120" height="90" fill="#f6d9c0" />
      <g transform="rotate(-6 60 45)">
        <rect x="22" y="14" width="76" height="58" rx="3" fill="#fdf6ea" />
        <path d="M22 22h76v7H22zM22 58h76v7H22z" fill="#e4572e" />
        <path d="M22 32h76v3H22zM22 52h76v3H22z" fill="#17878b" />
        <path d="M22 38h76v11H22z" fill="#f0a63a" />
        <path d="M26 76h67" stroke="#fdf6ea" stroke-width="8" stroke-dasharray="2.5 3.5" />
      </g>
    </>
  ),
  coffee: (
    <>
      <rect width="120" height="90" fill="#cfe3d6" />
      <path d="M41 14h38l6 12v50a5 5 0 0 1-5 5H40a5 5 0 0 1-5-5V26z" fill="#3b2a20" />
      <path d="M41 14h38l6 12H35z" fill="#54402f" />
      <rect x="41" y="36" width="38" height="30" rx="3" fill="#f7efe2" />
      <ellipse cx="60" cy="51" rx="7.5" ry="11" fill="#7b4a2d" transform="rotate(28 60 51)" />
      <path d="M65 42c-7 4-3 13-10 18" fill="none" stroke="#f7efe2" stroke-width="2" stroke-linecap="round" />
    </>
  ),
}

export function Picture({ of }: { of: (typeof GOODS)[number]['id'] }) {
  return (
    <svg viewBox="0 0 120 90" aria-hidden="true" class="picture">
      {PICTURES[of]}
    </svg>
  )
}
