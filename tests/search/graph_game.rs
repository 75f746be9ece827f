//! A game whose positions are the nodes of a graph, with more cycles than any board game.

use soucie::game::{
    Calibration, EndReason, EvalScale, FeatureBits, Features, Heuristics, Move, MoveList, Outcome,
    Position, Side, Term, chances, mix,
};

/// A node of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// The game is over.
    End(Option<Side>),
    /// The side to move chooses one of these nodes, where the other side is to move.
    Turn(Vec<u16>),
}

/// The rules of a game on a graph. By default only an end node and a third occurrence end it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphRules {
    /// The number of occurrences of a position that draws the game; 0 for none.
    pub repetition: usize,
    /// The number of nodes of a layer, if no move leads to a lower layer. A move to a higher one is
    /// then irreversible.
    pub layer: Option<u16>,
    /// The number of plies without an irreversible move that draws the game.
    pub draw_after: Option<u16>,
    /// The number of plies that draws the game.
    pub most_plies: Option<u16>,
    /// Whether there are null moves, and wins in one are found without a search.
    pub is_fast: bool,
}

impl Default for GraphRules {
    fn default() -> Self {
        Self { repetition: 3, layer: None, draw_after: None, most_plies: None, is_fast: false }
    }
}

/// A graph, the current node and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphGame {
    pub graph: &'static [Node],
    pub rules: GraphRules,
    pub node: u16,
    pub side: Side,
    /// The plies since the last irreversible move, and since the last one or a null move.
    quiet: u16,
    reversible: u16,
    plies: u16,
}

impl GraphGame {
    pub fn new(graph: &'static [Node], rules: GraphRules, node: u16, side: Side) -> Self {
        Self { graph, rules, node, side, quiet: 0, reversible: 0, plies: 0 }
    }

    fn node(&self) -> &'static Node {
        &self.graph[usize::from(self.node)]
    }

    fn is_irreversible(&self, to: u16) -> bool {
        self.rules.layer.is_some_and(|layer| to / layer > self.node / layer)
    }

    fn after_ply(&self, node: u16, is_irreversible: bool) -> Self {
        let count = |plies: u16| if is_irreversible { 0 } else { plies.saturating_add(1) };
        Self {
            node,
            side: !self.side,
            quiet: count(self.quiet),
            reversible: count(self.reversible),
            plies: self.plies.saturating_add(1),
            ..*self
        }
    }
}

/// A move between two nodes, which are its squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphMove {
    from: u16,
    to: u16,
}

impl Move for GraphMove {
    fn packed(self) -> u16 {
        self.to + 1
    }

    fn origin(self) -> usize {
        self.from.into()
    }

    fn target(self) -> usize {
        self.to.into()
    }
}

/// A guess.
const SCALE: EvalScale = EvalScale { margin: 0.0, spread: 100.0 };

impl Position for GraphGame {
    type Move = GraphMove;

    fn side(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        // The search mixes small numbers too.
        const NODES: u64 = 1 << 40;
        mix(NODES + 2 * u64::from(self.node) + self.side as u64)
    }

    fn outcome(&self) -> Option<Outcome> {
        if let Node::End(winner) = *self.node() {
            return Some(Outcome {
                winner,
                reason: &EndReason { code: "end-node", text: "end node" },
            });
        }
        let is_drawn = self.move_counters().contains(&Some(0));
        is_drawn.then(|| Outcome::drawn(&EndReason { code: "plies", text: "plies" }))
    }

    fn moves(&self, out: &mut MoveList<GraphMove>) {
        if let Node::Turn(nodes) = self.node() {
            out.extend(nodes.iter().map(|&to| GraphMove { from: self.node, to }));
        }
    }

    fn no_moves_outcome(&self) -> Outcome {
        Outcome::drawn(&EndReason { code: "no-moves", text: "no moves" })
    }

    fn play(&self, mv: GraphMove) -> Self {
        self.after_ply(mv.to, self.is_irreversible(mv.to))
    }

    fn repetition_limit(&self) -> usize {
        self.rules.repetition
    }

    fn reversible_plies(&self) -> usize {
        self.reversible.into()
    }
}

impl Heuristics for GraphGame {
    const CALIBRATION: Calibration = Calibration {
        network: SCALE,
        handcrafted: SCALE,
        levels: &[],
        named: [0; 4],
        chances: [chances(0.0, 100.0); 4],
    };
    /// Most positions are farther away, and the wins are long enough.
    const NEAR_DRAW: [u16; 2] = [3, u16::MAX];

    fn move_counters(&self) -> [Option<u16>; 2] {
        let GraphRules { draw_after, most_plies, .. } = self.rules;
        let left = |limit: Option<u16>, plies| limit.map(|limit| limit.saturating_sub(plies));
        [left(draw_after, self.quiet), left(most_plies, self.plies)]
    }

    fn null_move(&self) -> Option<Self> {
        let next = Self { reversible: 0, ..self.after_ply(self.node, false) };
        self.rules.is_fast.then_some(next)
    }

    fn winning_move(&self) -> Option<GraphMove> {
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        let wins = |mv: &GraphMove| self.graph[usize::from(mv.to)] == Node::End(Some(self.side));
        moves.into_iter().filter(|_| self.rules.is_fast).find(wins)
    }

    fn is_noisy(&self, mv: GraphMove) -> bool {
        self.is_irreversible(mv.to)
    }

    fn noisy_moves(&self, out: &mut MoveList<GraphMove>) {
        self.moves(out);
        out.retain(|mv| self.is_noisy(*mv));
    }

    fn is_forced(&self) -> bool {
        false
    }

    /// A random number of each node.
    fn evaluate(&self) -> i32 {
        let value = (mix(self.node.into()) % 512) as i32 - 256;
        if self.side == Side::Black { value } else { -value }
    }

    fn terms(&self) -> Vec<Term> {
        Vec::new()
    }
}

impl Features for GraphGame {
    fn features(&self, side: Side) -> FeatureBits {
        if side == self.side { [1 << self.node, 0] } else { [0, 1 << self.node] }
    }

    fn flip([own, other]: FeatureBits) -> FeatureBits {
        [other, own]
    }
}

/// The plies in which Black can force a win from each node, by side to move; `None` if it cannot.
/// Computed by retrograde analysis.
pub fn lengths(graph: &'static [Node]) -> Vec<[Option<u32>; 2]> {
    let mut lengths = vec![[None; 2]; graph.len()];
    for plies in 0..=2 * graph.len() as u32 {
        let before = lengths.clone();
        for (i, node) in graph.iter().enumerate() {
            for side in Side::BOTH.into_iter().filter(|&side| before[i][side].is_none()) {
                let is_won = |&next: &u16| before[usize::from(next)][!side].is_some();
                let won = match node {
                    Node::End(winner) => plies == 0 && *winner == Some(Side::Black),
                    Node::Turn(nodes) if side == Side::Black => nodes.iter().any(is_won),
                    Node::Turn(nodes) => !nodes.is_empty() && nodes.iter().all(is_won),
                };
                if won {
                    lengths[i][side] = Some(plies);
                }
            }
        }
    }
    lengths
}
