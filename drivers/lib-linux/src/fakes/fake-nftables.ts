import type { NamespaceReference } from '../namespaces/namespaces.js';
import type { Nftables, NftablesOptions, NftablesSession, NftCommands, RulesetView } from '../nftables/nftables.js';

export interface FakeNftCall {
  readonly namespace: NamespaceReference | undefined;
  readonly commands: NftCommands;
}

/** Remembers what it was asked to run, in order, and answers as it was told. */
export class FakeNftables implements Nftables {
  readonly calls: FakeNftCall[] = [];
  /** What commands print, or throws; nothing by default. */
  answer: (commands: NftCommands) => string = () => '';
  /** What a view answers; a test changes them. */
  generation = 1;
  rules = 0;

  open({ namespace }: NftablesOptions = {}): NftablesSession {
    const runSync = (commands: NftCommands): string => {
      this.calls.push({ namespace, commands });
      return this.answer(commands);
    };
    return { runSync, run: async (commands) => runSync(commands), close: () => undefined };
  }

  openView(): RulesetView {
    return {
      generation: () => this.generation,
      countRules: () => this.rules,
      countElements: () => 0,
      close: () => undefined,
    };
  }
}
