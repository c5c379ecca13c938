// The list of instruments that Zerodha publishes.
import { describe, expect, it } from 'vitest'
import { readKiteInstruments } from './kite-instruments.ts'

const header =
  'instrument_token,exchange_token,tradingsymbol,name,last_price,expiry,strike,tick_size,lot_size,instrument_type,segment,exchange'

describe('a list of instruments', () => {
  it.each(['', '<html></html>', '{"status":"error"}', 'instrument_token,tradingsymbol\n1,A'])('is refused where it is none: %j', (text) => {
    expect(readKiteInstruments(text)).toBeNull()
  })

  it('gives the tokens by exchange and symbol', () => {
    const csv = [
      header,
      '738561,2885,RELIANCE,"RELIANCE, INDUSTRIES ""LTD""",0,,0,0.1,1,EQ,NSE,NSE',
      '256265,1001,NIFTY 50,NIFTY 50,0,,0,0,0,EQ,INDICES,NSE',
      '128083204,500325,RELIANCE,RELIANCE INDUSTRIES,0,,0,0.05,1,EQ,BSE,BSE',
    ].join('\r\n')
    expect([...(readKiteInstruments(csv) ?? [])]).toEqual([
      ['NSE:RELIANCE', 738_561],
      ['NSE:NIFTY 50', 256_265],
      ['BSE:RELIANCE', 128_083_204],
    ])
  })

  it('follows the titles when the columns move', () => {
    expect(readKiteInstruments('exchange,tradingsymbol,instrument_token\nNSE,TMPV,884737\n')?.get('NSE:TMPV')).toBe(884_737)
  })

  it.each(['abc', '-1', '1.5', '', '99999999999'])('leaves out a line whose token is %j', (token) => {
    const csv = `${header}\n${token},1,ODD,ODD,0,,0,0,0,EQ,NSE,NSE\n341249,1,FINE,FINE,0,,0,0,0,EQ,NSE,NSE\n`
    expect([...(readKiteInstruments(csv)?.keys() ?? [])]).toEqual(['NSE:FINE'])
  })
})
