// QR code as a single SVG path; the encoder is loaded on first use.
import { useQuery } from '@tanstack/react-query'

/** Quiet zone in modules, which scanners need. */
const quietZone = 4

const box = { width: 192, height: 192, className: 'shrink-0 rounded-panel bg-white' } as const

export function QrImage({ text, label }: { readonly text: string | undefined; readonly label: string }) {
  const { data: modules } = useQuery({
    queryKey: ['qr', text],
    queryFn: async () => {
      const { create } = await import('qrcode')
      return create(text ?? '', { errorCorrectionLevel: 'M' }).modules
    },
    enabled: text !== undefined,
    staleTime: Infinity,
    // May contain a secret.
    gcTime: 0,
  })
  if (modules === undefined) return <svg {...box} aria-hidden />
  const { size } = modules
  const cells = Array.from({ length: size * size }, (_, at) => at).filter((at) => modules.get(Math.floor(at / size), at % size) !== 0)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-quietZone} ${-quietZone} ${size + 2 * quietZone} ${size + 2 * quietZone}`}
      shapeRendering="crispEdges"
      {...box}
    >
      <path fill="#000" d={cells.map((at) => `M${at % size} ${Math.floor(at / size)}h1v1h-1z`).join('')} />
    </svg>
  )
}
