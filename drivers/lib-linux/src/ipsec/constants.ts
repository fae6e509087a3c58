/** Numbers of the kernel's interface for IPsec (`linux/xfrm.h`). */
export const NETLINK_XFRM = 6;

export const XFRM_MSG_NEWSA = 0x10;
export const XFRM_MSG_DELSA = 0x11;
export const XFRM_MSG_GETSA = 0x12;
export const XFRM_MSG_DELPOLICY = 0x14;
export const XFRM_MSG_GETPOLICY = 0x15;
export const XFRM_MSG_UPDPOLICY = 0x19;

export const XFRMA_TMPL = 5;
export const XFRMA_ALG_AEAD = 18;

export const XFRM_MODE_TRANSPORT = 0;
export const XFRM_POLICY_IN = 0;
export const XFRM_POLICY_OUT = 1;

export const IPPROTO_UDP = 17;
export const IPPROTO_ESP = 50;

/** `struct xfrm_selector` */
export const selectorBytes = 56;
/** `xfrm_address_t` */
export const addressBytes = 16;
