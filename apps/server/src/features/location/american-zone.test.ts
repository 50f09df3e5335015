import { expect, it } from 'vitest'
import { zoneOfZip } from './gazetteer.ts'

/** ZIP codes of places on both sides of the border, by the zone whose time they keep. */
const PLACES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  AZ: {
    'America/Denver': ['86503', '86515', '86045', '86033'],
    'America/Phoenix': ['86040', '86001', '86043', '86034', '85001'],
  },
  FL: { 'America/Chicago': ['32501', '32401', '32446'], 'America/New_York': ['32301', '32456', '32320', '33101'] },
  ID: { 'America/Los_Angeles': ['83814', '83501', '83530'], 'America/Denver': ['83702', '83467', '83549'] },
  IN: {
    'America/Chicago': ['46402', '46360', '47708', '47670', '47978', '46534', '47586'],
    'America/New_York': ['46601', '47546', '47591', '47960', '46996', '46204'],
  },
  KS: { 'America/Denver': ['67735', '67878'], 'America/Chicago': ['67701', '67756', '67202'] },
  KY: {
    'America/Chicago': ['42101', '42301', '42728', '40143'],
    'America/New_York': ['40202', '42701', '42718', '42633', '40108'],
  },
  MI: {
    'America/Chicago': ['49801', '49858', '49938'],
    'America/New_York': ['49829', '49855', '49953', '48226'],
  },
  ND: { 'America/Denver': ['58601'], 'America/Chicago': ['58501', '58854', '58523'] },
  NE: { 'America/Denver': ['69361', '69153'], 'America/Chicago': ['69101', '69201', '68102'] },
  NV: { 'America/Denver': ['89883'], 'America/Los_Angeles': ['89801', '89101'] },
  OR: { 'America/Denver': ['97914'], 'America/Los_Angeles': ['97814', '97720', '97201'] },
  SD: { 'America/Denver': ['57701', '57625'], 'America/Chicago': ['57501', '57601', '57555', '57104'] },
  TN: {
    'America/New_York': ['37902', '37402', '37601', '37321'],
    'America/Chicago': ['37203', '38555', '38556', '37347', '38103'],
  },
  TX: { 'America/Denver': ['79901', '79936', '79851'], 'America/Chicago': ['75201', '79855', '77001'] },
}

it.each(Object.entries(PLACES))('places in %s go by the clock of their part of the state', (_state, zones) => {
  const found = Object.values(zones).map((codes) => codes.map((code) => [code, zoneOfZip(code)]))
  expect(found).toEqual(Object.entries(zones).map(([zone, codes]) => codes.map((code) => [code, zone])))
})

it('an unknown ZIP code has no clock', () => {
  expect([zoneOfZip('00000'), zoneOfZip(''), zoneOfZip(null)]).toEqual([null, null, null])
})
