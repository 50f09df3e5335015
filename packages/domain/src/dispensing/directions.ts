/**
 * Units a day from label directions such as "Take ONE tablet twice a day". It answers only when sure: two
 * readings, a range, "when required", or a dose in mg, mL or puffs (not the units supplied) give null.
 */

const NUMBERS: Readonly<Record<string, number>> = {
  half: 0.5,
  quarter: 0.25,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
}

// Marks doses that vary, stop, or are counted in something other than the units supplied.
const UNSURE =
  /\b(prn|when required|as required|if required|when needed|as needed|if needed|when necessary|if necessary|as directed|mdu|max|maximum|up to|no more than|stat|then|increas\w*|reduc\w*|decreas\w*|titrat\w*|except|alternating|puffs?|inhal\w*|inject\w*|units?|iu|drops?|sprays?|apply|insert|ml|mls|mg\/ml|spoon\w*|teaspoon\w*|patch\w*|pain|quarters|thirds|third of|week ?(?:days?|ends?|nights?)|(?:odd|even) (?:days?|dates?)|may (?:repeat|take|be repeated)|another|again|extra|additional|dialysis|travel\w*|every \d+ ?(?:-|to) ?\d+ (?:hours?|hrs?|hourly))\b/

/** 'every second day', 'each 2nd morning'. */
function everyFew(ordinal: string): RegExp {
  return new RegExp(`\\b(?:every|each) (?:${ordinal}) (?:days?|mornings?|evenings?|nights?|mane|nocte)\\b`)
}

const FIXED_FREQUENCIES: readonly (readonly [RegExp, number])[] = [
  [/\b(?:once|1 times?) (?:a|per|each|every) week\b|\bonce weekly\b/, 1 / 7],
  [/\btwice (?:a|per|each|every) week\b|\btwice weekly\b/, 2 / 7],
  [/\b3 times (?:a|per|each|every)? ?week(?:ly)?\b/, 3 / 7],
  [everyFew('second|other|2nd|2'), 1 / 2],
  [/\b(?:on )?alternate (?:days|nights|mornings|evenings|mane|nocte)\b/, 1 / 2],
  [everyFew('third|3rd|3'), 1 / 3],
  [/\b(?:once a|every|each|per) fortnight\b|\bfortnightly\b|\bevery 2 weeks\b/, 1 / 14],
  [/\b(?:once (?:a|per|each|every)|every|each) month\b|\bmonthly\b/, 1 / 30],
  [/\b(?:twice|2 times) (?:a|per|each|every)? ?da(?:y|ily)\b|\b(?:bd|bid)\b/, 2],
  [/\b3 times (?:a|per|each|every)? ?da(?:y|ily)\b|\b(?:tds|tid)\b/, 3],
  [/\b4 times (?:a|per|each|every)? ?da(?:y|ily)\b|\b(?:qid|qds)\b/, 4],
  [/\b5 times (?:a|per|each|every)? ?da(?:y|ily)\b/, 5],
  [/\b(?:once|1 times?) (?:a|per|each|every) day\b|\bonce daily\b|\bod\b/, 1],
  [/\b(?:a|per|each|every|same day each|same day every|a single dose each) week\b|\bweekly\b/, 1 / 7],
]

const TIMES_OF_DAY: Readonly<Record<string, string>> = {
  mane: 'morning',
  morning: 'morning',
  breakfast: 'morning',
  midi: 'noon',
  noon: 'noon',
  midday: 'noon',
  lunch: 'noon',
  afternoon: 'afternoon',
  evening: 'evening',
  dinner: 'evening',
  night: 'night',
  nocte: 'night',
  bedtime: 'night',
  bed: 'night',
}

const WEEKDAY = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b/g
const SHORT_DAYS: Readonly<Record<string, string>> = {
  mon: 'monday',
  tue: 'tuesday',
  wed: 'wednesday',
  thu: 'thursday',
  fri: 'friday',
  sat: 'saturday',
}
// Days between two named ones, days left out, a Sunday that may mean the sun, and quarters beside a whole number.
const UNCLEAR =
  /days? ?(?:-|to|till?|until|through|thru) ?\w+days?\b|\b(?:but|miss|skip|omit|none|not|no)\b[^.]*\b(?:sun|mon|tues|wednes|thurs|fri|satur)days?\b|(?:mon|tues|wednes|thurs|fri|satur)days?\b.*\bsun\b|\d [13]\/4\b/
// From one number to another, of units or of times: '2-3 times daily', 'once or twice', '4-6 hourly'.
const BETWEEN = /\d ?(?:-|to|or) ?\d|\b(?:once|twice|daily|times) ?(?:-|\/|to|or) ?(?:once|twice|\d)/
// Taken in a part of each month or cycle: '12 days each month'. The same day of the week is one day.
const IN_COURSES =
  /\b(?:days|nights|weeks) (?:(?:of|in|out of) )?(?:a|per|each|every|the) (?:\w+ )?(?:week|fortnight|month|cycle)\b/
// Twice a month, and what a number or word before a hyphen counts: '2-weekly' is every two weeks, 'bi-weekly' either.
const RARELY = /\b(?:twice|times) (?:(?:a|per|each|every) )?month(?:ly)?\b|\w-(?:daily|weekly|fortnightly|monthly)\b/
// Every fourth night, every second week. What any other ordinal counts is unclear.
const EVERY_OTHER = /\b(?:every|each) (?:other|second|third|fourth|fifth|sixth|seventh|\d+(?:st|nd|rd|th))\b/
const EVERY_TIME = /\b(?:every|each) (?:morning|evening|night|mane|nocte)\b/

/** Daily units from directions, or null when they are ambiguous. */
export function dailyUnits(directions: string): number | null {
  let text = plain(directions)
  if (text === '' || [UNSURE, UNCLEAR, BETWEEN, IN_COURSES, RARELY].some((unsure) => unsure.test(text))) return null
  let frequency: number | null = null
  const everyHours = /\b(?:every|q) ?(\d+) ?(?:hours?|hrs?|hourly|h)\b|\b(\d+) hourly\b/
  const hours = everyHours.exec(text)
  if (hours) {
    const gap = Number(hours[1] ?? hours[2])
    if (gap < 1 || 24 % gap !== 0) return null
    frequency = 24 / gap
    text = text.replace(everyHours, ' ')
  }
  for (const [pattern, perDay] of FIXED_FREQUENCIES) {
    if (!pattern.test(text)) continue
    // The same frequency stated twice ("once weekly, same day each week") counts once; two different ones are ambiguous.
    if (frequency !== null && frequency !== perDay) return null
    frequency = perDay
    text = text.replace(pattern, ' ')
  }
  if (EVERY_OTHER.test(text) || (frequency !== null && frequency < 1 && EVERY_TIME.test(text))) return null
  const weekdays = new Set(text.match(WEEKDAY)?.map((name) => name.replace(/s$/, ''))).size
  if (weekdays > 0) {
    if (frequency !== null && frequency !== weekdays / 7) return null
    frequency = weekdays / 7
  }
  const everyDay = /\b(?:daily|(?:a|per|each|every) day)\b/.test(text)
  if (everyDay && frequency !== null && frequency < 1) return null
  const total = perDayFromTimes(text, frequency, everyDay)
  return total !== null && total > 0 && total <= 60 ? total : null
}

/** Lower case; numbers as figures; strengths, brackets, courses and glasses of water removed. */
function plain(directions: string): string {
  return directions
    .toLowerCase()
    .replace(/½/g, ' 1/2 ')
    .replace(/([¼¾])/g, (part) => (part === '¼' ? ' 1/4 ' : ' 3/4 '))
    .replace(/[–—]/g, '-')
    .replace(/\b(mon|tue|wed|thu|fri|sat)(?:s|rs?)?\b/g, (_, day: string) => SHORT_DAYS[day]!)
    .replace(/\((?![^)]*\b(?:sun|mon|tues|wednes|thurs|fri|satur)days?\b)[^)]*\)/g, ' ')
    .replace(/\bb\.? ?d\.?(?=\s|$|,)/g, ' bd ')
    .replace(/\b([tq])\.? ?([di])\.? ?([sd])\.?(?=\s|$|,)/g, ' $1$2$3 ')
    .replace(/\b(?:a|one|1) (?:full )?(?:glass|cup)\b.*?(?=[.,;]|$)/g, ' ')
    .replace(/\b\d+(?:\.\d+)? ?(?:mg|mcg|microg\w*|g|%)(?=\W|$)/g, ' ')
    .replace(/\b(?:\d+|one|two|half an?|an) ?(?:to \w+ )?(?:minutes?|mins?|hours?|hrs?) (?=before|after|prior)/g, ' ')
    .replace(
      /\bfor (?:\d+|one|two|three|four|five|six|seven|ten|a) ?(?:more )?(?:days?|weeks?|months?)\b(?! (?:of|in|out|a|per|each|every)\b)/g,
      ' ',
    )
    .replace(/\bone[- ]half\b/g, 'half')
    .replace(/\bthrice\b/g, '3 times')
    .replace(
      /\b(once|twice|times)-(?=(?:daily|weekly|monthly)\b)|\b(\d+|two|three|four|five)-?(?=times?\b|hourly\b)/g,
      '$1$2 ',
    )
    .replace(/\b(one|two|three|four|1|2|3|4) (?:and (?:a |one )?(?:half|1\/2))/g, (_, n: string) =>
      String((NUMBERS[n] ?? Number(n)) + 0.5),
    )
    .replace(/\b(\d+) 1\/2\b/g, (_, n: string) => String(Number(n) + 0.5))
    .replace(/\b1\/2\b/g, '0.5')
    .replace(/\b(half|quarter|one|two|three|four|five|six|seven|eight|nine|ten)\b/g, (word) => String(NUMBERS[word]))
    .replace(/[^a-z0-9.,&+/-]+/g, ' ')
    .replace(/\.(?!\d)/g, ' . ')
    .replace(/ +/g, ' ')
    .trim()
}

interface Dose {
  units: number
  times: string[]
  /** Whether a second time of day was joined by "and" or a comma; "at night before bed" is one time. */
  joined: boolean
}

/** Doses in order with their times of day. */
function readDoses(text: string): { doses: Dose[]; leading: string[] } {
  const doses: Dose[] = []
  const leading: string[] = []
  let joiner = false
  for (const token of text.split(/\s+|(?=[,&+])|(?<=[,&+])/)) {
    const number = /^x?(\d+(?:\.\d+)?)x?$/.exec(token)
    const time = TIMES_OF_DAY[token]
    const current = doses.at(-1)
    if (number) doses.push({ units: Number(number[1]), times: [], joined: true })
    else if (time && !current) leading.push(time)
    else if (time && current && !current.times.includes(time)) {
      if (current.times.length > 0 && !joiner) current.joined = false
      current.times.push(time)
    }
    if (token === 'and' || token === ',' || token === '&' || token === '+') joiner = true
    else if (number || time) joiner = false
  }
  return { doses, leading }
}

function perDayFromTimes(text: string, frequency: number | null, everyDay: boolean): number | null {
  const read = readDoses(text)
  const [first, ...more] = read.doses
  if (!first) return null
  if (more.length === 0) {
    if (frequency !== null) return first.units * frequency
    const times = new Set([...read.leading, ...first.times]).size
    if (times === 0) return everyDay ? first.units : null
    if (times > 1 && !(first.joined && (read.leading.length === 0 || first.times.length === 0))) return null
    return first.units * times
  }
  // Several doses add up only when each has its own time of day: "2 in the morning and 1 at night".
  if (frequency !== null || read.leading.length > 0) return null
  let total = 0
  const seen = new Set<string>()
  for (const dose of read.doses) {
    if (dose.times.length === 0 || !dose.joined || dose.times.some((time) => seen.has(time))) return null
    for (const time of dose.times) seen.add(time)
    total += dose.units * dose.times.length
  }
  return total
}
