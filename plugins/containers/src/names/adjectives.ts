export const adjectives: readonly string[] = (
  'able agile airy alert amber ample apt ardent artful astute balmy beaming blithe bold bonny brave breezy bright ' +
  'brisk busy calm candid canny careful caring cheery chipper civil clear clever cogent cool cosy crafty crisp ' +
  'curious daring deft devoted direct dreamy droll eager earnest easy elated elegant fair famous fearless festive ' +
  'fine fleet fluent fond frank free fresh frugal funny genial gentle gifted glad golden graceful gracious grand ' +
  'handy happy hardy hearty helpful honest hopeful humble hushed ideal inspired jaunty jolly jovial joyful just ' +
  'keen kind lively logical loving lucid lucky mellow merry mighty mild modest moonlit musical neat nifty nimble ' +
  'noble novel open orderly patient peaceful peppy placid playful plucky poised polite proud prudent quaint quick ' +
  'quiet radiant ready refined regal rested robust rosy rustic sage sane scenic serene sharp shiny silent silver ' +
  'sincere sleek smart smiling snug solid spirited spry stable steady stellar stoic sturdy sublime sunny supple ' +
  'sweet swift tactful tender thrifty timely tranquil trusty upbeat urbane valiant vibrant vigilant vivid warm wise ' +
  'witty wondrous worthy young zany zealous zesty'
).split(' ');
