/** Of fsutil.types.Packet. */
export const packetTypes = { stat: 0, request: 1, data: 2, end: 3, error: 4 } as const;
