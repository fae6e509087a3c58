/** Of two certificates in PEM, which may end differently. */
export const isSameCertificate = (one: string, other: string): boolean => normalized(one) === normalized(other);

const normalized = (pem: string): string => pem.replace(/\s+/g, '');
