/** Limits of a search. All limits that are set apply; without any it runs until `stop`. */
export interface Limits {
  depth?: number
  nodes?: number
  /** Milliseconds. */
  movetime?: number
  /** Milliseconds on the clocks. */
  btime?: number
  wtime?: number
  binc?: number
  winc?: number
  movestogo?: number
  mate?: number
  infinite?: boolean
  ponder?: boolean
  searchmoves?: string[]
}

export interface Score {
  /** Centipawns, or moves to the end of the game. */
  unit: 'cp' | 'mate'
  value: number
  bound?: 'lowerbound' | 'upperbound'
}

/** An `info` line with a score. */
export interface Info {
  depth?: number
  seldepth?: number
  multipv?: number
  score: Score
  /** Wins, draws and losses per thousand games, with the option `UCI_ShowWDL`. */
  wdl?: number[]
  /** Points in thousand games between players of a level, with the option `Chances`. */
  chances?: number
  nodes?: number
  nps?: number
  hashfull?: number
  tbhits?: number
  /** Milliseconds. */
  time?: number
  /** The moves, separated by spaces. */
  pv?: string
}

export interface SearchResult {
  /** The best move; `(none)` in a finished game. */
  bestmove: string
  ponder?: string
  info: Info[]
}

/** A move in both notations of its game. */
export interface Move {
  /** Squares, as in `b8b6`; `0000` for a pass. */
  coordinate: string
  /** The usual notation, as in `11-15`. */
  standard: string
  /** The squares on which the piece stands one after the other. */
  path: string[]
  /** The squares of the captured pieces. */
  captures: string[]
}

/** The best move of a position, with the reasons for it. */
export interface Hint {
  move: Move
  /** Of the side to move: centipawns, or a proved result in moves. */
  score: { cp: number } | { mate: number }
  /** Wins, draws and losses per thousand games. */
  wdl: number[]
  /** The weightiest facts, at least one; `code` is stable. */
  facts: { code: string; text: string }[]
  /** The facts as a phrase that follows the move. */
  reason: string
}

/** A setup, or a setup with moves played on it. Without a setup, the start of the variant. */
export type Position = string | { fen?: string; moves?: string[] }

/** An engine in a worker. It uses the protocol of Soucie. */
export class Soucie {
  private constructor()

  /**
   * Starts an engine. With shared memory (`shared`) it reads lines during a search; this needs Node
   * or a page with cross-origin isolation, where it is the default. Without it, lines sent during a
   * search wait, except `stop`, `ponderhit`, `isready` and `quit`.
   */
  static create(options?: { shared?: boolean }): Promise<Soucie>

  /** Called with each line of the engine. */
  onLine: ((line: string) => void) | null

  /** Resolves when the engine has ended; rejects if it has failed. */
  readonly ended: Promise<void>

  /** Sends a line, or several. Throws if the engine has ended. */
  send(line: string): void

  /** Sets the position and searches. Rejects if either is refused. */
  search(request?: { position?: Position; limits?: Limits }): Promise<SearchResult>

  /**
   * The best move at full strength, with the reasons for it. Without limits the search visits 200,000
   * positions. Rejects if the position is refused or the game is over, and without shared memory if `stop`
   * ends it.
   */
  hint(request?: {
    position?: Position
    limits?: { nodes?: number; depth?: number; movetime?: number }
  }): Promise<Hint>

  /**
   * Loads the endgame tables of English draughts with two to four pieces, 0.6 MB, for the searches
   * that follow: from an address, from bytes, or from `draughts.tables` beside the module. Without
   * shared memory they wait for the end of a search, and an infinite one is restarted. Rejects if
   * they cannot be loaded or are damaged; the engine then continues without them.
   */
  loadTables(source?: string | URL | ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<void>

  /** Ends the input: pending searches finish, then the engine ends. */
  end(): void

  /** Stops all searches and ends the engine. */
  quit(): Promise<void>

  /** Ends the worker at once. */
  terminate(): void
}
